#!/usr/bin/env bash
# Plays a whole match of Angels and Demons with curl alone. Each step prints the
# command as you would type it, then the response. The script checks the results and
# exits with 1 if a check fails. README.md lists the steps.
#
#   MATCHBOOK_SERVER  host:port or http://host:port of the service (default 127.0.0.1:7420)
#   CURL              path of curl (default curl)
set -euo pipefail

server=${MATCHBOOK_SERVER:-127.0.0.1:7420}
server=http://${server#http://}
curl=${CURL:-curl}

here=$(cd "$(dirname "$0")" && pwd)
tools=$here/../grpcurl
scratch=$(mktemp -d)
export PYTHONDONTWRITEBYTECODE=1
watcher=
trap '[ -z "$watcher" ] || kill "$watcher" 2>/dev/null || true; rm -rf "$scratch"' EXIT

# --- Functions ------------------------------------------------------------

fail() {
  echo "walk.sh: $*" >&2
  exit 1
}

step() {
  printf '\n\n### %s\n' "$*"
}

# show ARGUMENT...: prints curl with these arguments as you would type it.
show() {
  printf '\n$ curl'
  local argument
  for argument in "$@"; do
    case $argument in
      *[!A-Za-z0-9_./:=-]*) printf " '%s'" "$argument" ;;
      *) printf ' %s' "$argument" ;;
    esac
  done
  printf '\n'
}

# run STATUS ARGUMENT...: shows and runs curl; the response must have this HTTP status.
# Keeps the body in $answer, the headers in $scratch/headers.
run() {
  local wanted=$1 found
  shift
  show "$@"
  found=$("$curl" -sS --max-time 60 -D "$scratch/headers" -o "$scratch/body" -w '%{http_code}' "$@")
  answer=$(cat "$scratch/body")
  [ "$found" = "$wanted" ] || fail "expected HTTP $wanted, found $found: $answer"
}

pretty() {
  printf '%s\n' "$answer" | python3 "$tools/layout.py"
}

# as TOKEN: the seat's token of the next calls; `as ''` makes them as a spectator.
as() {
  seat=()
  [ -z "$1" ] || seat=(-H "matchbook-seat-token: $1")
}
as ''

# get PATH, post PATH JSON: makes a call that must succeed.
get() {
  run 200 "${seat[@]}" "$server$1"
  pretty
}
post() {
  run 200 "${seat[@]}" -H 'content-type: application/json' -d "$2" "$server$1"
  pretty
}

# refused STATUS REASON ARGUMENT...: runs curl; the call must fail with this status and reason.
refused() {
  local status=$1 reason=$2
  shift 2
  run "$status" "$@"
  pretty
  expect "the reason" "$reason" "$(pick error.reason)"
}

# pick PATH: prints a value of $answer, as in: pick match.matchId, pick moves.0.notation.
pick() {
  printf '%s' "$answer" | python3 -c '
import json, sys
value = json.load(sys.stdin)
for key in sys.argv[1].split("."):
    value = value[int(key) if key.isdigit() else key]
print(value if isinstance(value, str) else json.dumps(value))
' "$1"
}

# header NAME: prints a header of the last response.
header() {
  tr -d '\r' <"$scratch/headers" | sed -n "s/^$1: //ip"
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

command -v "$curl" >/dev/null || fail "curl is not installed; install it or set CURL to its path"
command -v python3 >/dev/null || fail "python3 is not installed; the script reads responses with it"
"$curl" -sf --max-time 5 -o /dev/null "$server/livez" ||
  fail "no service at $server; start matchbookd or set MATCHBOOK_SERVER"

# --- The walk ---------------------------------------------------------------

step "1. Get the index and the OpenAPI document."
get /
run 200 "$server/openapi.json"
echo "(OpenAPI $(pick openapi), $(wc -c <"$scratch/body") bytes; /docs shows it in a browser)"

step "2. List the games."
get /v1/games
expect "the third game" angels-and-demons "$(pick games.2.gameId)"

# Remember the feed's cursor: the last steps read on from here.
before=$("$curl" -sS "$server/v1/feed?follow=false" | tail -n 1 |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["cursor"])')

step "3. Create a match: 4 x 4 spaces, 3 turns. The key makes a retry safe."
key=$(new_uuid)
options='{"angelsAndDemons": {"rows": 4, "cols": 4, "turns": 3}}'
create=(-H 'content-type: application/json' -H "idempotency-key: $key"
  -d "{\"gameId\": \"angels-and-demons\", \"options\": $options}" "$server/v1/matches")
run 200 "${create[@]}"
pretty
match=$(pick match.matchId)
echo
echo "Retry as if the response was lost: it returns the same match."
run 200 "${create[@]}"
expect "the match" "$match" "$(pick match.matchId)"
echo "$match"
at=/v1/matches/$match

step "4. A second shell watches all events after the creation, as server-sent events."
watch=(-sSN --max-time 120 -H 'accept: text/event-stream' "$server$at/watch?afterSeq=1")
show "${watch[@]}"
echo "(runs in the background; step 15 prints its output)"
"$curl" "${watch[@]}" >"$scratch/watch.txt" &
watcher=$!

step "5. Two players claim the seats. The token in the response proves the seat."
player="{\"displayName\": \"Gabriel\"}"
claim="{\"player\": $player, \"requestId\": \"$(new_uuid)\", \"claimSecret\": \"$(new_secret)\"}"
post "$at/seats/0:claim" "$claim"
angels=$(pick seatToken)
echo
echo "Retry as if the response was lost: only the same claimSecret returns the token again."
run 200 -H 'content-type: application/json' -d "$claim" "$server$at/seats/0:claim"
expect "the token" "$angels" "$(pick seatToken)"
player="{\"displayName\": \"Lilith\"}"
claim="{\"player\": $player, \"requestId\": \"$(new_uuid)\", \"claimSecret\": \"$(new_secret)\"}"
post "$at/seats/1:claim" "$claim"
demons=$(pick seatToken)
expect "the status" MATCH_STATUS_RUNNING "$(pick match.status)"

step "6. List the legal moves of the Angels, or build a move question by question."
as "$angels"
get "$at/legalMoves"
expect "legal moves on 4 x 4" 8 "$(pick totalSize)"
angels_move=$(pick moves.2.move)
post "$at/choices" '{}'
choice=$(pick question.choiceList.choices.0.value)
post "$at/choices" "{\"path\": [\"$choice\"]}"

step "7. Check a move without making it."
post "$at/moves:check" "{\"move\": $angels_move}"
expect "the check's result" true "$(pick legal)"
post "$at/moves:check" '{"notation": "1,2"}'
expect "the paragraph" AD-4 "$(pick refusal.paragraph)"

step "8. Turn 1. The Angels submit a typed move from the list."
post "$at/moves" "{\"move\": $angels_move, \"requestId\": \"$(new_uuid)\", \"expectedSeq\": 4}"

step "9. Errors. Each has a status and a reason for programs."
json=(-H 'content-type: application/json')
echo "A second choice in the same turn:"
refused 409 NOT_YOUR_TURN "${seat[@]}" "${json[@]}" -d '{"notation": "1,1"}' "$server$at/moves"
echo
echo "A white space:"
refused 422 ILLEGAL_MOVE -H "matchbook-seat-token: $demons" "${json[@]}" \
  -d '{"notation": "1,2"}' "$server$at/moves"
echo
echo "A move without a token:"
refused 401 MISSING_TOKEN "${json[@]}" -d '{"notation": "1,1"}' "$server$at/moves"
echo
echo "Another seat's view:"
refused 403 NOT_ALLOWED -H "matchbook-seat-token: $demons" "$server$at/view?viewer.seat=0"
echo
echo "An unknown field, an invalid number, a body that is not JSON:"
refused 400 INVALID_ARGUMENT "${json[@]}" -d '{"gmae": "angels-and-demons"}' "$server/v1/matches"
refused 400 INVALID_ARGUMENT "$server$at/view?atSeq=one"
refused 415 UNSUPPORTED_MEDIA_TYPE -d 'game=angels-and-demons' "$server/v1/matches"
echo
echo "An unknown path, an unknown method:"
refused 404 UNKNOWN_ROUTE "$server/v1/chess"
refused 405 METHOD_NOT_ALLOWED -X DELETE "$server$at"
expect "Allow" "GET, HEAD, OPTIONS" "$(header allow)"

step "10. Compare views: the Angels see their sealed choice; everybody else sees only that they chose."
get "$at/view"
case $answer in *ownChoice*) ;; *) fail "the view of the Angels lacks their own choice" ;; esac
as ''
get "$at/view"
case $answer in *ownChoice*) fail "a spectator's view contains a sealed choice" ;; esac
echo
echo "A conditional request while nothing has changed:"
tag=$(header etag)
run 304 -H "if-none-match: $tag" "$server$at/view"

step "11. The Demons choose, by notation. The response contains the reveal: both choices in one event."
as "$demons"
post "$at/moves" '{"notation": "1,1"}'
expect "the reveal's seq" 7 "$(pick events.1.seq)"

step "12. Turn 2. The Demons submit a random move; the same seed draws the same move."
get "$at/moves:suggest?strategy=STRATEGY_RANDOM&seed=7"
demons_move=$(pick move)
post "$at/moves" "{\"move\": $demons_move}"
as "$angels"
post "$at/moves" '{"notation": "3,3"}'

step "13. Turn 3, the last turn."
post "$at/moves" '{"notation": "3,3"}'
as "$demons"
post "$at/moves" '{"notation": "1,3"}'

step "14. The match is over: get the result, the position after turn 1, the events by pages, and the board."
as ''
get "$at"
get "$at/view?atSeq=7"
get "$at/events?pageSize=4"
printf '%s\n' "$answer" >"$scratch/events.json"
get "$at/events?pageToken=$(pick nextPageToken)"
printf '%s\n' "$answer" >>"$scratch/events.json"
get "$at/view?viewer.kind=KIND_OPEN"
printf '%s\n' "$answer" >"$scratch/view.json"
run 200 "$server$at/board.txt"
printf '%s\n' "$answer"
run 200 "$server$at/board.svg?theme=light"
echo "(an image of $(wc -c <"$scratch/body") bytes)"

step "15. Output of the second shell. The stream ended after the last event."
wait "$watcher" || fail "the watch failed"
watcher=
cat "$scratch/watch.txt"
sed -n 's/^data: //p' "$scratch/watch.txt" >"$scratch/watch.json"
echo "Resuming after the last event returns 204, which stops an EventSource:"
run 204 -H 'accept: text/event-stream' -H 'last-event-id: 14' "$server$at/watch"
echo
echo "The watch as lines of JSON, after event 12:"
run 200 "$server$at/watch?afterSeq=12"
printf '%s\n' "$answer"

step "16. Export the log as a file that anybody can verify, and the keys that verify it."
get /v1/keys
key=$(pick keys.0.publicKey)
run 200 "$server$at/log"
printf '%s\n' "$answer"
answer=$(tail -n 1 "$scratch/body")
expect "the signing key" "$key" "$(pick head.publicKey)"

step "17. Read the feed: the events of all matches since the walk began, as an auditor does."
run 200 "$server/v1/feed?follow=false&after=$before"
printf '%s\n' "$answer"
expect "events of our match" 14 "$(grep -c "\"matchId\":\"$match\"" "$scratch/body")"

# --- The checks -----------------------------------------------------

step "18. An independent referee replays the moves (AD-6, AD-8) and compares."
space() { printf '{"angelsAndDemons": {"row": %d, "col": %d}}\n' "$1" "$2"; }
{ # Turn by turn, the Angels' choice first.
  echo "$angels_move" && space 1 1
  space 3 3 && echo "$demons_move"
  space 3 3 && space 1 3
} >"$scratch/moves.json"
python3 "$tools/referee.py" "$scratch"

echo
echo "walk.sh: all checks passed"
