import Glibc
import Simulation

@main struct Simulate {
  static func main() {
    print("nothing to simulate yet")
  }
}
