# Functions of the walks in this folder: show, make and read calls. Sourced, not run.
#
#   MATCHBOOK_SERVER  host:port of the service (default 127.0.0.1:7420)
#   GRPCURL           path of grpcurl (default grpcurl)
# shellcheck shell=bash
set -euo pipefail

server=${MATCHBOOK_SERVER:-127.0.0.1:7420}
server=${server#http://}
grpcurl=${GRPCURL:-grpcurl}
games=matchbook.v1.GameService
matches=matchbook.v1.MatchService
logs=matchbook.v1.LogService

walk=$(basename "$0")
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
export PYTHONDONTWRITEBYTECODE=1
watcher=
trap '[ -z "$watcher" ] || kill "$watcher" 2>/dev/null || true; rm -rf "$scratch"' EXIT

# fail TEXT: prints an error and exits.
fail() {
  echo "$walk: $*" >&2
  exit 1
}

# step TEXT: prints a heading.
step() {
  printf '\n\n### %s\n' "$*"
}

# show ARGUMENT...: prints grpcurl with these arguments as you would type it.
show() {
  printf '\n$ grpcurl'
  local argument
  for argument in "$@"; do
    case $argument in
      *[!A-Za-z0-9_./:=-]*) printf " '%s'" "$argument" ;;
      *) printf ' %s' "$argument" ;;
    esac
  done
  printf '\n'
}

# run ARGUMENT...: shows and runs grpcurl, which must succeed. Keeps the response in $answer.
run() {
  show "$@"
  answer=$("$grpcurl" "$@") || fail "the call failed"
}

# call METHOD JSON: makes a call without a token, as a spectator.
call() {
  run -plaintext -d "$2" "$server" "$1"
  python3 "$here/layout.py" <<<"$answer"
}

# call_as TOKEN METHOD JSON: makes a call with a seat's token.
call_as() {
  run -plaintext -H "matchbook-seat-token: $1" -d "$3" "$server" "$2"
  python3 "$here/layout.py" <<<"$answer"
}

# reflect ARGUMENT...: prints what grpcurl says about the API.
reflect() {
  run -plaintext "$server" "$@"
  printf '%s\n' "$answer"
}

# refused REASON ARGUMENT...: runs grpcurl; the call must be refused for this reason.
refused() {
  local reason=$1
  shift
  show "$@"
  if answer=$("$grpcurl" "$@" 2>&1); then
    fail "expected a refusal: $reason"
  fi
  printf '%s\n' "$answer"
  case $answer in
    *"$reason"*) ;;
    *) fail "expected a refusal: $reason" ;;
  esac
}

# Responses reach Python through its standard input: a feed is longer than an argument may be.

# pick PATH: prints a value of $answer, as in: pick match.matchId, pick moves.0.notation.
pick() {
  python3 -c '
import json, sys
value = json.load(sys.stdin)
for key in sys.argv[1].split("."):
    value = value[int(key) if key.isdigit() else key]
print(value if isinstance(value, str) else json.dumps(value))
' "$1" <<<"$answer"
}

# pick_all PATH: prints the value of each message of $answer that has it, one per line.
pick_all() {
  python3 -c '
import sys
sys.path.insert(0, sys.argv[1])
from layout import messages
for value in messages(sys.stdin.read()):
    for key in sys.argv[2].split("."):
        value = value.get(key) if isinstance(value, dict) else None
    if value is not None:
        print(value)
' "$here" "$1" <<<"$answer"
}

new_uuid() {
  python3 -c 'import uuid; print(uuid.uuid4())'
}

# new_secret: a claimSecret; a retry with it returns the seat's token again.
new_secret() {
  python3 -c 'import secrets; print(secrets.token_urlsafe(24))'
}

expect() {
  [ "$2" = "$3" ] || fail "$1: expected $2, found $3"
}

# claim MATCH SEAT NAME: claims the seat and keeps its token in $token.
claim() {
  local request="\"seat\": \"$2\", \"player\": {\"displayName\": \"$3\"}, \"requestId\": \"$(new_uuid)\""
  call "$matches/ClaimSeat" "{\"matchId\": \"$1\", $request, \"claimSecret\": \"$(new_secret)\"}"
  token=$(pick seatToken)
}

# watch FILE JSON: watches a match in the background and writes to the file.
watch() {
  local arguments=(-plaintext -max-time 120 -d "$2" "$server" "$matches/WatchMatch")
  show "${arguments[@]}"
  echo "(runs in the background)"
  "$grpcurl" "${arguments[@]}" >"$1" 2>"$scratch/watch.err" &
  watcher=$!
}

# watched FILE: waits until the watch ends with the match, and prints its output.
watched() {
  wait "$watcher" || fail "the watch failed: $(cat "$scratch/watch.err")"
  watcher=
  python3 "$here/layout.py" <"$1"
}

command -v "$grpcurl" >/dev/null || fail "grpcurl is not installed; install it or set GRPCURL to its path"
command -v python3 >/dev/null || fail "python3 is not installed; the script reads responses with it"
"$grpcurl" -plaintext -connect-timeout 5 "$server" list >/dev/null ||
  fail "no service at $server; start matchbookd or set MATCHBOOK_SERVER"
