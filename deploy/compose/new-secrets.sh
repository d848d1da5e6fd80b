#!/bin/sh
# Makes what compose.yaml mounts as secrets, in deploy/secrets/, and deploy/.env with the user that owns them. Never overwrites.
#
#   deploy/compose/new-secrets.sh
#   MATCHBOOKD=target/release/matchbookd deploy/compose/new-secrets.sh     with a program of yours instead of the image
set -eu
umask 077
cd "$(dirname "$0")/.."

version=${MATCHBOOK_VERSION:-0.1.0}
matchbookd() {
    if [ -n "${MATCHBOOKD:-}" ]; then "$MATCHBOOKD" "$@"; else docker run --rm "matchbook:$version" "$@"; fi
}
# In hexadecimal, so that it can stand in a URL as it is.
password() { od -An -N 24 -t x1 /dev/urandom | tr -d ' \n'; }

if [ -e secrets ]; then
    echo "deploy/secrets exists and is left alone" >&2
    exit 1
fi
case ${MATCHBOOKD:-} in
    "" | /*) ;;
    *) MATCHBOOKD=$OLDPWD/$MATCHBOOKD ;;
esac

# Built aside and moved at the end: what is there is whole.
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

# The service keeps hashes; the keys themselves go to those who use them.
: >"$draft/api_keys"
new_key() {
    made=$(matchbookd key new --name "$1" --role "$2" --json)
    printf '%s\n' "$made" | sed 's/.*"config":"\([^"]*\)".*/\1/' >>"$draft/api_keys"
    printf '%s\n' "$made" | sed 's/.*"key":"\([^"]*\)".*/\1/' | tr -d '\n' >"$draft/$3"
}
new_key app app app_key
new_key metrics audit metrics_key

# Read in containers by other users than ours: Postgres's, Prometheus's, Grafana's. The folder keeps other people of this machine out.
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
echo "made deploy/secrets; the API key of the first app is in deploy/secrets/app_key"
echo "keep a copy of deploy/secrets/service.key where neither this machine nor the database's backups are"
