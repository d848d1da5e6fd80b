#!/usr/bin/env bash
# A walk through a whole match of Angels and Demons, with grpcurl and nothing
# else. Each step prints the command as you would type it, then the answer. At
# the end the script checks the result; it exits with 1 if anything is not as it
# should be. README.md tells what to look at.
#
#   MATCHBOOK_SERVER  host:port of the service (127.0.0.1:7420)
#   GRPCURL           the grpcurl to use (grpcurl)
set -euo pipefail

server=${MATCHBOOK_SERVER:-127.0.0.1:7420}
server=${server#http://}
grpcurl=${GRPCURL:-grpcurl}
games=matchbook.v1.GameService
matches=matchbook.v1.MatchService

here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
export PYTHONDONTWRITEBYTECODE=1
watcher=
trap '[ -z "$watcher" ] || kill "$watcher" 2>/dev/null || true; rm -rf "$scratch"' EXIT

# --- Small tools ------------------------------------------------------------

fail() {
  echo "walk.sh: $*" >&2
  exit 1
}

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

new_uuid() {
  python3 -c 'import uuid; print(uuid.uuid4())'
}

expect() {
  [ "$2" = "$3" ] || fail "$1: expected $2, found $3"
}

command -v "$grpcurl" >/dev/null || fail "grpcurl is not installed; set GRPCURL to where it is"
command -v python3 >/dev/null || fail "python3 is needed, to read values out of the answers"
"$grpcurl" -plaintext -connect-timeout 5 "$server" list >/dev/null ||
  fail "no service at $server; start one with matchbookd, or set MATCHBOOK_SERVER"

# --- The walk ---------------------------------------------------------------

step "1. What does the service offer? (Reflection: no .proto files needed.)"
reflect list
reflect describe "$games"
reflect describe matchbook.v1.SubmitMoveRequest

step "2. Which games are there?"
call "$games/ListGames" '{}'
expect "the third game" angels-and-demons "$(pick games.2.game)"

step "3. Create a match. Options that are left away take their defaults: 8 x 8 spaces, 20 turns."
call "$matches/CreateMatch" '{"game": "angels-and-demons"}'
expect "default turns" 20 "$(pick match.options.angelsAndDemons.turns)"

step "4. We play a smaller one: 4 x 4 spaces, 3 turns."
call "$matches/CreateMatch" '{"game": "angels-and-demons", "options": {"angelsAndDemons": {"rows": 4, "cols": 4, "turns": 3}}}'
match=$(pick match.matchId)

step "5. A third shell watches everything since the match was created. Its output comes at the end."
watch_arguments=(-plaintext -max-time 120 -d "{\"matchId\": \"$match\", \"afterSeq\": 1}" "$server" "$matches/WatchMatch")
show "${watch_arguments[@]}"
echo "(runs in the background)"
"$grpcurl" "${watch_arguments[@]}" >"$scratch/watch.json" 2>"$scratch/watch.err" &
watcher=$!

step "6. Two players take the seats. The token in the answer is shown once and proves the seat."
call "$matches/ClaimSeat" "{\"matchId\": \"$match\", \"seat\": \"SEAT_ZERO\", \"playerName\": \"Gabriel\", \"requestId\": \"$(new_uuid)\"}"
angels=$(pick seatToken)
call "$matches/ClaimSeat" "{\"matchId\": \"$match\", \"seat\": \"SEAT_ONE\", \"playerName\": \"Lilith\", \"requestId\": \"$(new_uuid)\"}"
demons=$(pick seatToken)
expect "the status" MATCH_STATUS_RUNNING "$(pick match.status)"

step "7. What can the Angels do? The whole list, or one question after the other."
call_as "$angels" "$matches/ListLegalMoves" "{\"matchId\": \"$match\"}"
expect "legal moves on 4 x 4" 8 "$(pick total)"
angels_move=$(pick moves.2.move)
call_as "$angels" "$matches/GetChoices" "{\"matchId\": \"$match\"}"
choice=$(pick question.oneOf.offers.0.value)
call_as "$angels" "$matches/GetChoices" "{\"matchId\": \"$match\", \"path\": [\"$choice\"]}"

step "8. Would it be accepted? Asking changes nothing."
call_as "$angels" "$matches/CheckMove" "{\"matchId\": \"$match\", \"move\": $angels_move}"
expect "the verdict" true "$(pick legal)"
call_as "$angels" "$matches/CheckMove" "{\"matchId\": \"$match\", \"notation\": \"1,2\"}"
expect "the paragraph" AD-4 "$(pick paragraph)"

step "9. Turn 1. The Angels send a typed move from the list, with a request_id."
request=$(new_uuid)
submit="{\"matchId\": \"$match\", \"move\": $angels_move, \"requestId\": \"$request\", \"expectedSeq\": 4}"
call_as "$angels" "$matches/SubmitMove" "$submit"
receipt=$(pick events.0.hash.value)
echo
echo "Was the answer lost? The same call again is made once and answered the same."
call_as "$angels" "$matches/SubmitMove" "$submit"
expect "the receipt" "$receipt" "$(pick events.0.hash.value)"

step "10. Mistakes. Each has a reason that programs can decide by."
echo "A second choice in the same turn:"
refused not_your_turn -plaintext -H "authorization: Bearer $angels" -d "{\"matchId\": \"$match\", \"notation\": \"1,1\"}" "$server" "$matches/SubmitMove"
echo
echo "A white space:"
refused illegal_move -plaintext -H "authorization: Bearer $demons" -d "{\"matchId\": \"$match\", \"notation\": \"1,2\"}" "$server" "$matches/SubmitMove"
echo
echo "A move without a token:"
refused missing_token -plaintext -d "{\"matchId\": \"$match\", \"notation\": \"1,1\"}" "$server" "$matches/SubmitMove"
echo
echo "Another seat's view:"
refused not_allowed -plaintext -H "authorization: Bearer $demons" -d "{\"matchId\": \"$match\", \"seat\": \"SEAT_ZERO\"}" "$server" "$matches/GetView"

step "11. Who sees what? The Angels see their waiting choice; everybody else sees only that they have chosen."
call_as "$angels" "$matches/GetView" "{\"matchId\": \"$match\"}"
case $answer in *ownChoice*) ;; *) fail "the Angels don't see their own choice" ;; esac
call "$matches/GetView" "{\"matchId\": \"$match\"}"
case $answer in *ownChoice*) fail "a spectator sees a secret choice" ;; esac

step "12. The Demons choose, by notation. The answer has the reveal: both choices, in one event."
call_as "$demons" "$matches/SubmitMove" "{\"matchId\": \"$match\", \"notation\": \"1,1\"}"
expect "the reveal's place" 7 "$(pick events.1.seq)"

step "13. Turn 2. The Demons let the service draw; the same seed draws the same."
call_as "$demons" "$matches/SampleMove" "{\"matchId\": \"$match\", \"seed\": 7}"
demons_move=$(pick move)
call_as "$demons" "$matches/SubmitMove" "{\"matchId\": \"$match\", \"move\": $demons_move}"
call_as "$angels" "$matches/SubmitMove" "{\"matchId\": \"$match\", \"notation\": \"3,3\"}"

step "14. Turn 3, the last one."
call_as "$angels" "$matches/SubmitMove" "{\"matchId\": \"$match\", \"notation\": \"3,3\"}"
call_as "$demons" "$matches/SubmitMove" "{\"matchId\": \"$match\", \"notation\": \"1,3\"}"

step "15. It is over: the result, the position after turn 1, and the log by pages."
call "$matches/GetMatch" "{\"matchId\": \"$match\"}"
call "$matches/GetView" "{\"matchId\": \"$match\", \"atSeq\": 7}"
call "$matches/ListEvents" "{\"matchId\": \"$match\", \"pageSize\": 4}"
printf '%s\n' "$answer" >"$scratch/events.json"
call "$matches/ListEvents" "{\"matchId\": \"$match\", \"afterSeq\": 4}"
printf '%s\n' "$answer" >>"$scratch/events.json"
call "$matches/GetView" "{\"matchId\": \"$match\", \"open\": true}"
printf '%s\n' "$answer" >"$scratch/view.json"

step "16. What the third shell saw. The stream ended by itself after the last event."
wait "$watcher" || fail "the watch failed: $(cat "$scratch/watch.err")"
watcher=
python3 "$here/layout.py" <"$scratch/watch.json"

# --- Is all that right? -----------------------------------------------------

step "17. The referee plays the moves again by itself (AD-6, AD-8) and compares."
space() { printf '{"angelsAndDemons": {"row": %d, "col": %d}}\n' "$1" "$2"; }
{ # Turn by turn, the Angels' choice first.
  echo "$angels_move" && space 1 1
  space 3 3 && echo "$demons_move"
  space 3 3 && space 1 3
} >"$scratch/moves.json"
python3 "$here/referee.py" "$scratch"

echo
echo "walk.sh: all is as it should be"
