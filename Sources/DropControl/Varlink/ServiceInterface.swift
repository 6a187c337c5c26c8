/// What every Varlink service answers about itself.
enum ServiceInterface {
  static let name = "org.varlink.service"

  static let description = """
    # What a service is and which interfaces it has.
    interface org.varlink.service

    # Returns who made the service and the names of its interfaces.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # Returns an interface as text.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The service has no such interface.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The method is there, and not in this way.
    error MethodNotImplemented (method: string)

    # A parameter is missing, unknown, or not of its type.
    error InvalidParameter (parameter: string)

    # The client may not do this.
    error PermissionDenied ()

    # The method has more than one reply, and the call did not ask for more.
    error ExpectedMore ()

    """

  struct Information: Codable {
    var vendor = "dropzone"
    var product = "dropzone"
    var version: String
    var url = "file:///usr/share/doc/dropzone"
    var interfaces = [name, ZonesInterface.name]
  }

  struct Description: Codable { let description: String }
}
