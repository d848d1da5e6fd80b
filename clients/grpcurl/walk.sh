#!/usr/bin/env bash
# A walk through a whole match of Angels and Demons, with grpcurl and nothing
# else. Each step prints the command as you would type it, then the answer. At
# the end the script checks the result; it exits with 1 if anything is not as it
# should be. README.md tells what to look at.
#
#   MATCHBOOK_SERVER  host:port of the service (127.0.0.1:7420)
#   GRPCURL           the grpcurl to use (grpcurl)
# shellcheck source=steps.sh
. "$(dirname "$0")/steps.sh"

# --- The walk ---------------------------------------------------------------

step "1. What does the service offer? (Reflection: no .proto files needed.)"
reflect list
reflect describe "$games"
reflect describe matchbook.v1.SubmitMoveRequest

step "2. Which games are there?"
call "$games/ListGames" '{}'
expect "the third game" angels-and-demons "$(pick games.2.game)"

# Where the feed is now: the walk reads on from here at its end.
answer=$("$grpcurl" -plaintext -d '{"follow": false}' "$server" "$logs/StreamFeed")
before=$(pick_all cursor | tail -n 1)

step "3. Create a match. Options that are left away take their defaults: 8 x 8 spaces, 20 turns."
call "$matches/CreateMatch" '{"game": "angels-and-demons"}'
expect "default turns" 20 "$(pick match.options.angelsAndDemons.turns)"

step "4. We play a smaller one: 4 x 4 spaces, 3 turns."
call "$matches/CreateMatch" '{"game": "angels-and-demons", "options": {"angelsAndDemons": {"rows": 4, "cols": 4, "turns": 3}}}'
match=$(pick match.matchId)

step "5. A third shell watches everything since the match was created. Its output comes at the end."
watch "$scratch/watch.json" "{\"matchId\": \"$match\", \"afterSeq\": 1}"

step "6. Two players take the seats. The token in the answer is shown once and proves the seat."
claim "$match" SEAT_ZERO Gabriel
angels=$token
claim "$match" SEAT_ONE Lilith
demons=$token
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
watched "$scratch/watch.json"

step "17. The log with the bytes that verify, header first and signed at its end, and the keys to check it with."
call "$logs/ListKeys" '{}'
key=$(pick keys.0.publicKey)
call "$logs/ExportLog" "{\"matchId\": \"$match\"}"
expect "the key that signed it" "$key" "$(pick_all head.publicKey)"

step "18. The feed: what has happened since we began, in all matches, as an auditor reads it."
call "$logs/StreamFeed" "{\"after\": \"$before\", \"follow\": false}"
expect "events of our match" 14 "$(pick_all event.matchId | grep -c "$match")"

# --- Is all that right? -----------------------------------------------------

step "19. The referee plays the moves again by itself (AD-6, AD-8) and compares."
space() { printf '{"angelsAndDemons": {"row": %d, "col": %d}}\n' "$1" "$2"; }
{ # Turn by turn, the Angels' choice first.
  echo "$angels_move" && space 1 1
  space 3 3 && echo "$demons_move"
  space 3 3 && space 1 3
} >"$scratch/moves.json"
python3 "$here/referee.py" "$scratch"

echo
echo "walk.sh: all is as it should be"
