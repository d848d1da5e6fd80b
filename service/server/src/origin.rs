//! Where a call comes from: the peer's address, or the one that a proxy that we trust tells of.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use http::{HeaderMap, HeaderName, header};
use ipnet::IpNet;

/// The proxies that are believed, and the header that they write.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies {
    /// Where they are.
    pub networks: Vec<IpNet>,
    /// Where they say who called them. The other header is not looked at: they may pass it on as a caller wrote it.
    pub header: ForwardedHeader,
}

/// How a proxy says who called it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ForwardedHeader {
    /// `X-Forwarded-For: 192.0.2.7`
    #[default]
    XForwardedFor,
    /// `Forwarded: for=192.0.2.7` (RFC 7239)
    Forwarded,
}

/// Where a call comes from, as far as it matters for limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Origin {
    /// This machine itself: not limited.
    Here,
    /// An address; of IPv6 the network of 64 bits, since its owner has all addresses in it.
    Address(IpAddr),
}

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

impl TrustedProxies {
    /// The origin of a call that this peer brings; one without an address is within this process.
    pub(crate) fn origin(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> Origin {
        let Some(peer) = peer.map(|peer| peer.to_canonical()) else { return Origin::Here };
        match self.told(peer, headers) {
            Some(address) => Origin::Address(network(address)),
            None if peer.is_loopback() => Origin::Here,
            None => Origin::Address(network(peer)),
        }
    }

    /// The last address that somebody trusted tells of: each proxy adds the one that it was called from.
    fn told(&self, peer: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
        if !self.trust(peer) {
            return None;
        }
        let mut told = None;
        for hop in self.hops(headers).into_iter().rev() {
            let Some(address) = address(hop) else { break };
            told = Some(address);
            if !self.trust(address) {
                break;
            }
        }
        told
    }

    fn trust(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(&address))
    }

    fn hops<'a>(&self, headers: &'a HeaderMap) -> Vec<&'a str> {
        let name = match self.header {
            ForwardedHeader::XForwardedFor => X_FORWARDED_FOR,
            ForwardedHeader::Forwarded => header::FORWARDED,
        };
        // A value with strange bytes stands for a hop that nobody understands.
        let values = headers.get_all(name).into_iter().map(|value| value.to_str().unwrap_or_default());
        let elements = values.flat_map(|value| value.split(','));
        match self.header {
            ForwardedHeader::XForwardedFor => elements.map(str::trim).collect(),
            ForwardedHeader::Forwarded => elements.map(for_part).collect(),
        }
    }
}

/// The value of `for` in an element of `Forwarded`.
fn for_part(element: &str) -> &str {
    let pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let mut named = pairs.filter(|(name, _)| name.eq_ignore_ascii_case("for"));
    named.next().map(|(_, value)| value.trim_matches('"')).unwrap_or_default()
}

/// An address, perhaps with a port, perhaps in brackets.
fn address(hop: &str) -> Option<IpAddr> {
    let bare = hop.trim_start_matches('[').trim_end_matches(']');
    let parsed = bare.parse().ok().or_else(|| hop.parse().ok().map(|socket: SocketAddr| socket.ip()));
    parsed.map(|address: IpAddr| address.to_canonical())
}

fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(peer: &str, header: ForwardedHeader, values: &[&'static str]) -> Origin {
        let networks = ["10.0.0.0/8", "127.0.0.1/32", "fd00::/8"].map(|network| network.parse().unwrap());
        let proxies = TrustedProxies { networks: networks.to_vec(), header };
        let mut headers = HeaderMap::new();
        for value in values {
            let name =
                if value.to_ascii_lowercase().contains("for=") { header::FORWARDED } else { X_FORWARDED_FOR };
            headers.append(name, value.parse().unwrap());
        }
        proxies.origin(Some(peer.parse().unwrap()), &headers)
    }

    fn at(address: &str) -> Origin {
        Origin::Address(address.parse().unwrap())
    }

    #[test]
    fn only_a_trusted_peer_is_believed() {
        let header = ForwardedHeader::XForwardedFor;
        assert_eq!(origin("198.51.100.4", header, &["192.0.2.7"]), at("198.51.100.4"));
        assert_eq!(origin("10.1.2.3", header, &["192.0.2.7"]), at("192.0.2.7"));
        assert_eq!(origin("10.1.2.3", header, &[]), at("10.1.2.3"));
        assert_eq!(origin("127.0.0.1", header, &["192.0.2.7"]), at("192.0.2.7"));
        assert_eq!(origin("127.0.0.1", header, &[]), Origin::Here);
        assert_eq!(origin("::1", header, &["192.0.2.7"]), Origin::Here);
        assert_eq!(origin("::ffff:127.0.0.1", header, &["192.0.2.7"]), at("192.0.2.7"));
    }

    #[test]
    fn what_a_caller_made_up_is_left_of_what_the_proxy_saw() {
        let header = ForwardedHeader::XForwardedFor;
        assert_eq!(origin("10.0.0.1", header, &["127.0.0.1, 192.0.2.7"]), at("192.0.2.7"));
        assert_eq!(origin("10.0.0.1", header, &["1.1.1.1", "192.0.2.7, 10.0.0.2"]), at("192.0.2.7"));
        assert_eq!(origin("10.0.0.1", header, &["nonsense, 10.0.0.2"]), at("10.0.0.2"));
        assert_eq!(origin("10.0.0.1", header, &["nonsense"]), at("10.0.0.1"));
        // A machine that says of itself that it is ours is limited all the same.
        assert_eq!(origin("10.0.0.1", header, &["127.0.0.1"]), at("127.0.0.1"));
        // The header that the proxy does not write is the caller's own.
        assert_eq!(origin("10.0.0.1", header, &["for=192.0.2.7"]), at("10.0.0.1"));
    }

    #[test]
    fn both_headers_in_their_many_spellings() {
        for (value, expected) in [
            ("for=192.0.2.7", "192.0.2.7"),
            ("For=\"192.0.2.7:4711\";proto=https", "192.0.2.7"),
            ("proto=https; for=\"[2001:db8:1:2:3:4:5:6]:4711\"", "2001:db8:1:2::"),
            ("for=_hidden, for=192.0.2.7", "192.0.2.7"),
            ("for=192.0.2.7, for=unknown", "10.0.0.1"),
        ] {
            assert_eq!(origin("10.0.0.1", ForwardedHeader::Forwarded, &[value]), at(expected), "{value}");
        }
        for (value, expected) in [
            ("192.0.2.7:80", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("[2001:db8::1]:9", "2001:db8::"),
        ] {
            assert_eq!(origin("fd00::1", ForwardedHeader::XForwardedFor, &[value]), at(expected), "{value}");
        }
    }
}
