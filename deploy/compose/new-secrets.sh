#!/bin/sh
# Generates the secrets that compose.yaml mounts, in deploy/secrets/, and deploy/.env with the user that owns
# them. Never overwrites any.
#
#   deploy/compose/new-secrets.sh
#   MATCHBOOKD=target/release/matchbookd deploy/compose/new-secrets.sh     with this program, not the image
set -eu
umask 077
cd "$(dirname "$0")/.."

version=${MATCHBOOK_VERSION:-0.1.0}
matchbookd() {
    if [ -n "${MATCHBOOKD:-}" ]; then "$MATCHBOOKD" "$@"; else docker run --rm "matchbook:$version" "$@"; fi
}
# Hexadecimal, which needs no escaping in a URL.
password() { od -An -N 24 -t x1 /dev/urandom | tr -d ' \n'; }

if [ -e secrets ]; then
    echo "deploy/secrets already exists; remove it to generate new secrets" >&2
    exit 1
fi
case ${MATCHBOOKD:-} in
    "" | /*) ;;
    *) MATCHBOOKD=$OLDPWD/$MATCHBOOKD ;;
esac

# Generated in a temporary folder and renamed at the end, so that deploy/secrets is always complete.
draft=$(mktemp -d ./secrets.XXXXXX)
trap 'rm -rf "$draft"' EXIT

owner=$(password)
service=$(password)
printf '%s' "$owner" >"$draft/owner_password"
printf '%s' "$service" >"$draft/service_password"
printf 'postgres://matchbook_owner:%s@postgres/matchbook\n' "$owner" >"$draft/owner_url"
printf 'postgres://matchbook_service:%s@postgres/matchbook\n' "$service" >"$draft/service_url"
password >"$draft/grafana_password"
head -c 32 /dev/urandom >"$draft/service.key"

# The service gets the hashes of keys, their users the keys.
: >"$draft/api_keys"
new_key() {
    made=$(matchbookd key new --name "$1" --role "$2" --json)
    printf '%s\n' "$made" | sed 's/.*"config":"\([^"]*\)".*/\1/' >>"$draft/api_keys"
    printf '%s\n' "$made" | sed 's/.*"key":"\([^"]*\)".*/\1/' | tr -d '\n' >"$draft/$3"
}
new_key app app app_key
new_key metrics audit metrics_key

# Other users read these in containers: Postgres, Prometheus, Grafana. On this machine the folder's mode
# protects them.
chmod 0444 "$draft/service_password" "$draft/metrics_key" "$draft/grafana_password"

uid=$(id -u)
gid=$(id -g)
if [ "$uid" = 0 ]; then
    uid=65532
    gid=65532
    for name in owner_url service_url service.key api_keys; do chown "$uid:$gid" "$draft/$name"; done
fi
[ -e .env ] || printf 'MATCHBOOK_UID=%s\nMATCHBOOK_GID=%s\n' "$uid" "$gid" >.env
mv "$draft" secrets
trap - EXIT
echo "created deploy/secrets; the API key of the first app is in deploy/secrets/app_key"
echo "keep a copy of deploy/secrets/service.key, away from this machine and from the database's backups"
