/// The interface through which every Varlink service describes itself.
enum ServiceInterface {
  static let name = "org.varlink.service"

  static let description = """
    # Describes a service and its interfaces.
    interface org.varlink.service

    # Returns the vendor and version of the service, and the names of its interfaces.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # Returns the definition of an interface.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The service has no such interface.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The method exists, but does not support what the call asks for.
    error MethodNotImplemented (method: string)

    # A parameter is missing, unknown, or of the wrong type.
    error InvalidParameter (parameter: string)

    # The client may not do this.
    error PermissionDenied ()

    # The method has several replies, so the call must set more.
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
