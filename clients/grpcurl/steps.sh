# What the walks in this folder share: where the service is, and how a call is
# shown, made and read. Sourced, not run.
#
#   MATCHBOOK_SERVER  host:port of the service (127.0.0.1:7420)
#   GRPCURL           the grpcurl to use (grpcurl)
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

# fail TEXT: ends the walk.
fail() {
  echo "$walk: $*" >&2
  exit 1
}

# step TEXT: a heading.
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

# run ARGUMENT...: shows and runs grpcurl, which must succeed; its answer is kept
# in $answer.
run() {
  show "$@"
  answer=$("$grpcurl" "$@") || fail "that should have worked"
}

# call METHOD JSON: an RPC without a token, as a spectator.
call() {
  run -plaintext -d "$2" "$server" "$1"
  python3 "$here/layout.py" <<<"$answer"
}

# call_as TOKEN METHOD JSON: an RPC for the seat that the token belongs to.
call_as() {
  run -plaintext -H "authorization: Bearer $1" -d "$3" "$server" "$2"
  python3 "$here/layout.py" <<<"$answer"
}

# reflect ARGUMENT...: grpcurl's own texts.
reflect() {
  run -plaintext "$server" "$@"
  printf '%s\n' "$answer"
}

# refused REASON ARGUMENT...: runs grpcurl, which must be refused for that reason.
refused() {
  local reason=$1
  shift
  show "$@"
  if answer=$("$grpcurl" "$@" 2>&1); then
    fail "that should have been refused as $reason"
  fi
  printf '%s\n' "$answer"
  case $answer in
    *"$reason"*) ;;
    *) fail "that should have been refused as $reason" ;;
  esac
}

# pick PATH: a value out of $answer; pick match.matchId, pick moves.0.notation.
pick() {
  python3 -c '
import json, sys
value = json.loads(sys.argv[1])
for key in sys.argv[2].split("."):
    value = value[int(key) if key.isdigit() else key]
print(value if isinstance(value, str) else json.dumps(value))
' "$answer" "$1"
}

# pick_all PATH: the value out of each message of $answer that has it, one a line.
pick_all() {
  python3 -c '
import sys
sys.path.insert(0, sys.argv[1])
from layout import messages
for value in messages(sys.argv[2]):
    for key in sys.argv[3].split("."):
        value = value.get(key) if isinstance(value, dict) else None
    if value is not None:
        print(value)
' "$here" "$answer" "$1"
}

new_uuid() {
  python3 -c 'import uuid; print(uuid.uuid4())'
}

expect() {
  [ "$2" = "$3" ] || fail "$1: expected $2, found $3"
}

# claim MATCH SEAT NAME: takes the seat; its token is kept in $token.
claim() {
  call "$matches/ClaimSeat" "{\"matchId\": \"$1\", \"seat\": \"$2\", \"playerName\": \"$3\", \"requestId\": \"$(new_uuid)\"}"
  token=$(pick seatToken)
}

# watch FILE JSON: follows a match in the background, into the file.
watch() {
  local arguments=(-plaintext -max-time 120 -d "$2" "$server" "$matches/WatchMatch")
  show "${arguments[@]}"
  echo "(runs in the background)"
  "$grpcurl" "${arguments[@]}" >"$1" 2>"$scratch/watch.err" &
  watcher=$!
}

# watched FILE: waits for the watch, which ends after the match's last event, and
# prints what it saw.
watched() {
  wait "$watcher" || fail "the watch failed: $(cat "$scratch/watch.err")"
  watcher=
  python3 "$here/layout.py" <"$1"
}

command -v "$grpcurl" >/dev/null || fail "grpcurl is not installed; set GRPCURL to where it is"
command -v python3 >/dev/null || fail "python3 is needed, to read values out of the answers"
"$grpcurl" -plaintext -connect-timeout 5 "$server" list >/dev/null ||
  fail "no service at $server; start one with matchbookd, or set MATCHBOOK_SERVER"
