//! The client's address: the peer's, or the one that a trusted proxy forwards.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use http::{Extensions, HeaderMap, HeaderName, header};
use ipnet::IpNet;

use super::connection::Connection;

/// The proxies whose forwarded client addresses count, and the header they use.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies {
    /// The networks of the proxies.
    pub networks: Vec<IpNet>,
    /// The header they set. The other one is ignored, as they may pass it through from the client.
    pub header: ForwardedHeader,
}

/// The header in which a proxy forwards the client address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ForwardedHeader {
    /// `X-Forwarded-For: 192.0.2.7`
    #[default]
    XForwardedFor,
    /// `Forwarded: for=192.0.2.7` (RFC 7239)
    Forwarded,
}

/// The origin of a call, for limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ClientAddress {
    /// This machine, which is exempt from limits.
    Local,
    /// An IPv4 address, or the /64 of an IPv6 address, since one host commonly has all of it.
    Remote(IpAddr),
}

impl ClientAddress {
    /// Returns the /48 of an IPv6 address, since one customer of a provider commonly has all of it.
    pub(crate) fn wider_network(self) -> Option<Self> {
        match self {
            Self::Remote(IpAddr::V6(address)) => {
                Some(Self::Remote(Ipv6Addr::from_bits(address.to_bits() >> 80 << 80).into()))
            }
            Self::Local | Self::Remote(IpAddr::V4(_)) => None,
        }
    }

    /// Returns the address of a peer itself. Each loopback address counts for itself.
    pub(crate) fn of_peer(peer: IpAddr) -> Self {
        Self::Remote(network(peer.to_canonical()))
    }
}

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

impl TrustedProxies {
    /// Returns the client address of a call from `peer`. A call without a peer is made inside this process.
    pub(crate) fn client_address(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> ClientAddress {
        let Some(peer) = peer.map(|peer| peer.to_canonical()) else { return ClientAddress::Local };
        match self.forwarded(peer, headers) {
            Some(address) => ClientAddress::Remote(network(address)),
            None if peer.is_loopback() => ClientAddress::Local,
            None => ClientAddress::Remote(network(peer)),
        }
    }

    /// Returns the client address of a request for what callers on this machine share as well, or `None` for
    /// a call made inside this process.
    pub(crate) fn sharing_address(
        &self,
        extensions: &Extensions,
        headers: &HeaderMap,
    ) -> Option<ClientAddress> {
        let peer = Connection::peer_of(extensions)?;
        Some(match self.client_address(Some(peer), headers) {
            ClientAddress::Local => ClientAddress::of_peer(peer),
            remote @ ClientAddress::Remote(_) => remote,
        })
    }

    /// Returns the last address added by a trusted proxy: each proxy appends the address it was called from.
    /// Where it appended something else, the proxy itself counts.
    fn forwarded(&self, peer: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
        if !self.trusts(peer) {
            return None;
        }
        let mut client = None;
        for hop in self.hops(headers).into_iter().rev() {
            let Some(address) = parse_address(hop) else { return client.or(Some(peer)) };
            client = Some(address);
            if !self.trusts(address) {
                break;
            }
        }
        client
    }

    /// Returns whether an address is a trusted proxy's.
    pub(super) fn trusts(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(&address))
    }

    fn hops<'a>(&self, headers: &'a HeaderMap) -> Vec<&'a str> {
        let name = match self.header {
            ForwardedHeader::XForwardedFor => X_FORWARDED_FOR,
            ForwardedHeader::Forwarded => header::FORWARDED,
        };
        // A value that is not ASCII counts as one unknown hop.
        let values = headers.get_all(name).into_iter().map(|value| value.to_str().unwrap_or_default());
        let elements = values.flat_map(|value| value.split(','));
        match self.header {
            ForwardedHeader::XForwardedFor => elements.map(str::trim).collect(),
            ForwardedHeader::Forwarded => elements.map(for_part).collect(),
        }
    }
}

/// Returns the value of `for` in an element of `Forwarded`.
fn for_part(element: &str) -> &str {
    let pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let mut named = pairs.filter(|(name, _)| name.eq_ignore_ascii_case("for"));
    named.next().map(|(_, value)| value.trim_matches('"')).unwrap_or_default()
}

/// Parses an address with optional port and brackets.
fn parse_address(hop: &str) -> Option<IpAddr> {
    let bare = hop.trim_start_matches('[').trim_end_matches(']');
    let parsed = bare.parse().ok().or_else(|| hop.parse().ok().map(|socket: SocketAddr| socket.ip()));
    parsed.map(|address: IpAddr| address.to_canonical())
}

/// Masks an IPv6 address to its /64.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client_address(peer: &str, header: ForwardedHeader, values: &[&'static str]) -> ClientAddress {
        let networks = ["10.0.0.0/8", "127.0.0.1/32", "fd00::/8"].map(|network| network.parse().unwrap());
        let proxies = TrustedProxies { networks: networks.to_vec(), header };
        let mut headers = HeaderMap::new();
        for value in values {
            let name =
                if value.to_ascii_lowercase().contains("for=") { header::FORWARDED } else { X_FORWARDED_FOR };
            headers.append(name, value.parse().unwrap());
        }
        proxies.client_address(Some(peer.parse().unwrap()), &headers)
    }

    fn at(address: &str) -> ClientAddress {
        ClientAddress::Remote(address.parse().unwrap())
    }

    #[test]
    fn only_trusted_peers_may_forward() {
        let header = ForwardedHeader::XForwardedFor;
        assert_eq!(client_address("198.51.100.4", header, &["192.0.2.7"]), at("198.51.100.4"));
        assert_eq!(client_address("10.1.2.3", header, &["192.0.2.7"]), at("192.0.2.7"));
        assert_eq!(client_address("10.1.2.3", header, &[]), at("10.1.2.3"));
        assert_eq!(client_address("127.0.0.1", header, &["192.0.2.7"]), at("192.0.2.7"));
        assert_eq!(client_address("127.0.0.1", header, &[]), ClientAddress::Local);
        // Whom the proxy cannot name is not this machine.
        assert_eq!(client_address("127.0.0.1", header, &["unknown"]), at("127.0.0.1"));
        assert_eq!(client_address("127.0.0.1", header, &["192.0.2.7, unknown"]), at("127.0.0.1"));
        assert_eq!(client_address("::1", header, &["192.0.2.7"]), ClientAddress::Local);
        assert_eq!(client_address("::ffff:127.0.0.1", header, &["192.0.2.7"]), at("192.0.2.7"));
    }

    #[test]
    fn addresses_before_the_last_untrusted_one_are_ignored() {
        let header = ForwardedHeader::XForwardedFor;
        assert_eq!(client_address("10.0.0.1", header, &["127.0.0.1, 192.0.2.7"]), at("192.0.2.7"));
        assert_eq!(client_address("10.0.0.1", header, &["1.1.1.1", "192.0.2.7, 10.0.0.2"]), at("192.0.2.7"));
        assert_eq!(client_address("10.0.0.1", header, &["nonsense, 10.0.0.2"]), at("10.0.0.2"));
        assert_eq!(client_address("10.0.0.1", header, &["nonsense"]), at("10.0.0.1"));
        // A forwarded loopback address is limited all the same.
        assert_eq!(client_address("10.0.0.1", header, &["127.0.0.1"]), at("127.0.0.1"));
        // The other header comes from the client.
        assert_eq!(client_address("10.0.0.1", header, &["for=192.0.2.7"]), at("10.0.0.1"));
    }

    #[test]
    fn both_headers_parse_in_all_their_forms() {
        for (value, expected) in [
            ("for=192.0.2.7", "192.0.2.7"),
            ("For=\"192.0.2.7:4711\";proto=https", "192.0.2.7"),
            ("proto=https; for=\"[2001:db8:1:2:3:4:5:6]:4711\"", "2001:db8:1:2::"),
            ("for=_hidden, for=192.0.2.7", "192.0.2.7"),
            ("for=192.0.2.7, for=unknown", "10.0.0.1"),
        ] {
            assert_eq!(
                client_address("10.0.0.1", ForwardedHeader::Forwarded, &[value]),
                at(expected),
                "{value}"
            );
        }
        for (value, expected) in [
            ("192.0.2.7:80", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("[2001:db8::1]:9", "2001:db8::"),
        ] {
            assert_eq!(
                client_address("fd00::1", ForwardedHeader::XForwardedFor, &[value]),
                at(expected),
                "{value}"
            );
        }
    }
}
