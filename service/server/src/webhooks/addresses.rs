//! The addresses that webhooks may have. A URL is its owner's choice, so the service must not become its
//! owner's way into networks that only the service can reach.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// The addresses that may be sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReachableAddresses {
    /// Addresses of the public internet.
    Public,
    /// These and private ones, loopback included, but no link-local ones.
    PublicAndPrivate,
}

/// IPv4 networks that are not public: IANA's special-purpose registry, multicast, and reserved ones.
const NOT_PUBLIC_V4: [Ipv4Net; 15] = [
    v4([0, 0, 0, 0], 8),
    v4([10, 0, 0, 0], 8),
    // Shared by customers of a provider (carrier-grade NAT).
    v4([100, 64, 0, 0], 10),
    v4([127, 0, 0, 0], 8),
    LINK_LOCAL_V4,
    v4([172, 16, 0, 0], 12),
    v4([192, 0, 0, 0], 24),
    v4([192, 0, 2, 0], 24),
    v4([192, 88, 99, 0], 24),
    v4([192, 168, 0, 0], 16),
    v4([198, 18, 0, 0], 15),
    v4([198, 51, 100, 0], 24),
    v4([203, 0, 113, 0], 24),
    MULTICAST_V4,
    RESERVED_V4,
];

/// Metadata services of cloud providers are here.
const LINK_LOCAL_V4: Ipv4Net = v4([169, 254, 0, 0], 16);
const MULTICAST_V4: Ipv4Net = v4([224, 0, 0, 0], 4);
/// Includes the broadcast address.
const RESERVED_V4: Ipv4Net = v4([240, 0, 0, 0], 4);

/// Platforms' own services for the machines on them: one whose address is a public one, and metadata services
/// outside the link-local network.
const PLATFORM_V4: [Ipv4Addr; 3] =
    [Ipv4Addr::new(168, 63, 129, 16), Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(192, 0, 0, 192)];

/// A metadata service within a private network.
const METADATA_V6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254);

/// All public IPv6 addresses are in here. Outside are loopback, private (`fc00::/7`) and link-local ones,
/// multicast, and those that contain an IPv4 address: mapped, compatible and translated (`64:ff9b::/96`).
const GLOBAL_V6: Ipv6Net = v6([0x2000, 0, 0, 0], 3);

/// Parts of it that are not public: protocols (with Teredo, which contains IPv4 addresses), documentation,
/// and 6to4, which contains IPv4 addresses.
const NOT_PUBLIC_V6: [Ipv6Net; 4] = [
    v6([0x2001, 0, 0, 0], 23),
    v6([0x2001, 0xdb8, 0, 0], 32),
    v6([0x2002, 0, 0, 0], 16),
    v6([0x3fff, 0, 0, 0], 20),
];

const LINK_LOCAL_V6: Ipv6Net = v6([0xfe80, 0, 0, 0], 10);

/// Loopback and private addresses.
const PRIVATE_V6: [Ipv6Net; 2] = [Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128), v6([0xfc00, 0, 0, 0], 7)];

const fn v4([a, b, c, d]: [u8; 4], prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6([a, b, c, d]: [u16; 4], prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0), prefix)
}

impl ReachableAddresses {
    /// Returns what the address in a URL must be, for who gave another one.
    pub(super) fn must_be(self) -> &'static str {
        match self {
            Self::Public => {
                "must have an address or name of the public internet; its operator runs this service without \
                 --webhook-allow-private-networks, so that it sends to no private, local or reserved one"
            }
            Self::PublicAndPrivate => {
                "must have a public, private or loopback address; this service sends to no link-local, \
                 multicast or reserved one"
            }
        }
    }

    /// Returns whether private addresses may be sent to.
    pub(super) fn include_private(self) -> bool {
        self == Self::PublicAndPrivate
    }

    /// Returns whether an address may be sent to.
    pub(super) fn contains(self, address: IpAddr) -> bool {
        match (self, address) {
            (Self::Public, IpAddr::V4(address)) => is_public_v4(address),
            (Self::Public, IpAddr::V6(address)) => is_public_v6(address),
            (Self::PublicAndPrivate, address) => match address.to_canonical() {
                IpAddr::V4(address) => is_public_v4(address) || is_private_v4(address),
                IpAddr::V6(address) => is_public_v6(address) || is_private_v6(address),
            },
        }
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !PLATFORM_V4.contains(&address) && !NOT_PUBLIC_V4.iter().any(|network| network.contains(&address))
}

/// Returns whether an address is one that a network of one's own may have.
fn is_private_v4(address: Ipv4Addr) -> bool {
    let never = [LINK_LOCAL_V4, MULTICAST_V4, RESERVED_V4].iter().any(|network| network.contains(&address));
    !never && !address.is_unspecified() && !PLATFORM_V4.contains(&address)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    GLOBAL_V6.contains(&address) && !NOT_PUBLIC_V6.iter().any(|network| network.contains(&address))
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    let private = PRIVATE_V6.iter().any(|network| network.contains(&address));
    private && !LINK_LOCAL_V6.contains(&address) && address != METADATA_V6
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC: [&str; 9] = [
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.128.0.0",
        "172.32.0.1",
        "192.0.1.0",
        "223.255.255.255",
        "2606:4700:4700::1111",
        "2a00:1450:4001:80b::200e",
    ];

    /// Addresses that only someone who may use private networks may send to.
    const PRIVATE: [&str; 14] = [
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "127.0.0.1",
        "127.255.255.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "198.18.0.1",
        "::1",
        "fc00::1",
        "fdff::1",
        "::ffff:10.0.0.1",
        "::ffff:127.0.0.1",
    ];

    /// Addresses that nobody may send to.
    const NEVER: [&str; 23] = [
        "0.0.0.0",
        "169.254.169.254",
        "169.254.0.1",
        "168.63.129.16",
        "100.100.100.200",
        "192.0.0.192",
        "::ffff:100.100.100.200",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "fe80::1",
        "febf::1",
        "ff02::1",
        "fd00:ec2::254",
        "::ffff:169.254.169.254",
        "::ffff:0.0.0.0",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:db8::1",
    ];

    #[test]
    fn private_addresses_need_permission_and_some_are_never_sent_to() {
        let judged = |text: &str| {
            let address: IpAddr = text.parse().unwrap();
            [ReachableAddresses::Public, ReachableAddresses::PublicAndPrivate]
                .map(|all| all.contains(address))
        };
        for text in PUBLIC {
            assert_eq!(judged(text), [true, true], "{text}");
        }
        for text in PRIVATE {
            assert_eq!(judged(text), [false, true], "{text}");
        }
        for text in NEVER {
            assert_eq!(judged(text), [false, false], "{text}");
        }
    }

    #[test]
    fn a_mapped_address_is_never_public() {
        // It would reach the IPv4 address without being judged as one.
        assert!(!ReachableAddresses::Public.contains("::ffff:1.1.1.1".parse().unwrap()));
        assert!(ReachableAddresses::PublicAndPrivate.contains("::ffff:1.1.1.1".parse().unwrap()));
    }
}
