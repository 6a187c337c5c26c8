/// The release of the daemon and its tool.
package enum Version {
  package static let current = "0.1.0"
}
