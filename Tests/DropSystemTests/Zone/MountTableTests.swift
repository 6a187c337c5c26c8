import DropEngine
import DropSystem
import Testing

@Suite struct MountTableTests {
  @Test func `mounts below a directory are found, whatever their names are`() {
    let table = """
      21 1 8:1 / / rw - ext4 /dev/sda1 rw
      30 21 8:2 / /srv/drop rw,nosuid shared:1 - ext4 /dev/sdb rw
      31 30 8:3 / /srv/drop/a\\040b\\134c rw - xfs /dev/sdc rw
      32 21 8:4 / /srv/drop2 rw - xfs /dev/sdd rw
      broken
      """
    #expect(MountTable.places(in: Array(table.utf8), below: "/srv/drop") == [#"/srv/drop/a b\c"#])
  }
}
