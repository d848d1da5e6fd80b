//! The URLs that webhooks may have.

use std::net::IpAddr;

use url::{Host, Url};

use super::addresses::ReachableAddresses;

/// Ends of names that the public DNS does not have: reserved ones (RFC 6761, 6762, 8375, and `internal`), and
/// those that private networks use in their stead (RFC 6762, appendix G).
const LOCAL_DOMAINS: [&str; 9] =
    ["localhost", "local", "internal", "home.arpa", "intranet", "private", "corp", "home", "lan"];

/// What a URL may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct UrlPolicy {
    pub(super) allow_http: bool,
    pub(super) addresses: ReachableAddresses,
}

impl UrlPolicy {
    /// Parses a URL that may be sent to, as far as it tells. A host name is looked up at each attempt.
    /// Otherwise returns what the URL must be.
    pub(super) fn parse(self, text: &str) -> Result<Url, String> {
        // The parser drops line breaks and tabs and trims the ends: it would keep another URL than was sent.
        if text.contains(|c: char| c.is_control() || c.is_whitespace()) {
            return Err("must not contain spaces, line breaks or control characters".to_owned());
        }
        let url = Url::parse(text)
            .map_err(|error| format!("must be a URL such as https://example.org/hook ({error})"))?;
        match url.scheme() {
            "https" => {}
            "http" if self.allow_http => {}
            "http" => return Err("must be https; this service does not send over http".to_owned()),
            _ if self.allow_http => return Err("must be an https or http URL".to_owned()),
            _ => return Err("must be an https URL".to_owned()),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not contain a user name or password; check the signature instead".to_owned());
        }
        if url.fragment().is_some() {
            return Err("must not have a fragment".to_owned());
        }
        if url.port() == Some(0) {
            return Err("must not have port 0".to_owned());
        }
        let address = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            Some(Host::Domain(name)) if is_local(name) && !self.addresses.include_private() => {
                return Err(self.addresses.must_be().to_owned());
            }
            Some(Host::Domain(_)) => None,
            None => return Err("must have a host".to_owned()),
        };
        match address {
            Some(address) if !self.addresses.contains(address) => Err(self.addresses.must_be().to_owned()),
            _ => Ok(url),
        }
    }
}

/// Returns whether a name is one of a local network by definition. One without a dot is looked up in the
/// domain of this machine.
fn is_local(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    let ends_in =
        |domain| name.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    !name.contains('.') || LOCAL_DOMAINS.into_iter().any(ends_in)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRICT: UrlPolicy = UrlPolicy { allow_http: false, addresses: ReachableAddresses::Public };

    #[test]
    fn an_https_url_of_a_name_or_public_address_is_accepted() {
        for good in [
            "https://shop.example/hook",
            "https://shop.example:8443/a/b?key=%20v",
            "https://1.1.1.1/",
            "https://[2606:4700:4700::1111]/hook",
            "https://bücher.example/",
            "https://shop.example./hook",
            "https://local.example/",
            "https://mylocalhost.example/",
            "https://notinternal.example/",
        ] {
            assert!(STRICT.parse(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn other_urls_are_refused_whatever_their_spelling() {
        for bad in [
            "",
            "shop.example",
            "/hook",
            "http://shop.example/hook",
            "ftp://shop.example/",
            "file:///etc/passwd",
            "gopher://127.0.0.1/",
            "https://",
            "https://user@shop.example/",
            "https://user:word@shop.example/",
            "https://:word@shop.example/",
            "https://shop.example/#part",
            "https://shop.example:0/",
            "https://shop.example:99999/",
            "https://localhost/",
            "https://localhost.:8443/",
            "https://LOCALHOST/",
            "https://db.localhost/",
            "https://printer.local/",
            "https://matchbook.default.svc.cluster.local/",
            "https://metadata.google.internal/",
            "https://router.home.arpa/",
            "https://nas.lan/",
            "https://internal/",
            "https://redis/",
            "https://ｌocalhost/",
            "https://127.0.0.1/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://0177.0.0.1/",
            "https://127.1/",
            "https://0/",
            "https://[::1]/",
            "https://[::]/",
            "https://[::ffff:127.0.0.1]/",
            "https://[::ffff:7f00:1]/",
            "https://[fe80::1]/",
            "https://[fd00::1]/",
            "https://169.254.169.254/latest/meta-data/",
            "https://10.0.0.1:8443/",
            "https://192.168.0.1/",
            "https://①②⑦.0.0.1/",
            "https://shop.example/hook\r\nHost: other.example",
            "https://shop.example/ho\tok",
            " https://shop.example/",
            "https://shop.example/\u{a0}",
        ] {
            assert!(STRICT.parse(bad).is_err(), "{bad:?}");
        }
        let backslash = STRICT.parse("https://shop.example\\@127.0.0.1/").unwrap();
        assert_eq!(backslash.host_str(), Some("shop.example"), "as browsers read it");
    }

    #[test]
    fn http_and_private_addresses_need_permission_each() {
        let private = UrlPolicy { addresses: ReachableAddresses::PublicAndPrivate, ..STRICT };
        assert!(private.parse("https://10.0.0.1/").is_ok() && private.parse("http://10.0.0.1/").is_err());
        assert!(private.parse("https://localhost/").is_ok() && private.parse("https://redis/").is_ok());
        let plain = UrlPolicy { allow_http: true, ..STRICT };
        assert!(plain.parse("http://shop.example/").is_ok() && plain.parse("http://10.0.0.1/").is_err());
        assert_eq!(plain.parse("ftp://shop.example/").unwrap_err(), "must be an https or http URL");
        let refused = private.parse("https://169.254.169.254/").unwrap_err();
        assert!(refused.contains("no link-local") && !refused.contains("no private"), "{refused}");
        let refused = STRICT.parse("https://10.0.0.1/").unwrap_err();
        assert!(refused.contains("--webhook-allow-private-networks"), "{refused}");
        assert!(STRICT.parse("hook").unwrap_err().starts_with("must be a URL such as https://"));
    }
}
