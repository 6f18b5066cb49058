/// How urgent a command is beside others that wait: for the network, a login, or their host.
///
/// The most urgent are sent first, and those of one priority in the order of their submission. When the network is back, one command
/// goes first, alone, to find out whether it is; the others follow at random distances, which do not change the order. An interceptor
/// that waits can change it. The order is that of the requests as the transport gets them: several connections may bring them to the
/// server in another one.
public enum Priority: String, Sendable, CaseIterable {
    case high, normal, low
}
