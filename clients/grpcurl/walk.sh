#!/usr/bin/env bash
# Plays a whole match of Angels and Demons with grpcurl alone. Each step prints the
# command as you would type it, then the response. The script checks the results and
# exits with 1 if a check fails. README.md lists the steps.
#
#   MATCHBOOK_SERVER  host:port of the service (default 127.0.0.1:7420)
#   GRPCURL           path of grpcurl (default grpcurl)
# shellcheck source=steps.sh
. "$(dirname "$0")/steps.sh"

# --- The walk ---------------------------------------------------------------

step "1. List and describe the services by reflection, without .proto files."
reflect list
reflect describe "$games"
reflect describe matchbook.v1.SubmitMoveRequest

step "2. List the games."
call "$games/ListGames" '{}'
expect "the third game" angels-and-demons "$(pick games.2.gameId)"

# Remember the feed's cursor: the last steps read on from here.
answer=$("$grpcurl" -plaintext -d '{"follow": false}' "$server" "$logs/StreamFeed")
before=$(pick_all cursor | tail -n 1)

step "3. Create a match. Omitted options have defaults: 8 x 8 spaces, 20 turns."
call "$matches/CreateMatch" '{"gameId": "angels-and-demons"}'
expect "default turns" 20 "$(pick match.options.angelsAndDemons.turns)"

step "4. Create a smaller match: 4 x 4 spaces, 3 turns."
call "$matches/CreateMatch" \
  '{"gameId": "angels-and-demons", "options": {"angelsAndDemons": {"rows": 4, "cols": 4, "turns": 3}}}'
match=$(pick match.matchId)

step "5. A third shell watches all events after the creation. Step 16 prints its output."
watch "$scratch/watch.json" "{\"matchId\": \"$match\", \"afterSeq\": 1}"

step "6. Two players claim the seats. The token in the response proves the seat."
claim "$match" 0 Gabriel
angels=$token
claim "$match" 1 Lilith
demons=$token
expect "the status" MATCH_STATUS_RUNNING "$(pick match.status)"

step "7. List the legal moves of the Angels, or build a move question by question."
call_as "$angels" "$matches/ListLegalMoves" "{\"matchId\": \"$match\"}"
expect "legal moves on 4 x 4" 8 "$(pick totalSize)"
angels_move=$(pick moves.2.move)
call_as "$angels" "$matches/GetChoices" "{\"matchId\": \"$match\"}"
choice=$(pick question.choiceList.choices.0.value)
call_as "$angels" "$matches/GetChoices" "{\"matchId\": \"$match\", \"path\": [\"$choice\"]}"

step "8. Check a move without making it."
call_as "$angels" "$matches/CheckMove" "{\"matchId\": \"$match\", \"move\": $angels_move}"
expect "the check's result" true "$(pick legal)"
call_as "$angels" "$matches/CheckMove" "{\"matchId\": \"$match\", \"notation\": \"1,2\"}"
expect "the paragraph" AD-4 "$(pick refusal.paragraph)"

step "9. Turn 1. The Angels submit a typed move from the list, with a request_id."
request=$(new_uuid)
submit="{\"matchId\": \"$match\", \"move\": $angels_move, \"requestId\": \"$request\", \"expectedSeq\": 4}"
call_as "$angels" "$matches/SubmitMove" "$submit"
receipt=$(pick events.0.hash)
echo
echo "Retry as if the response was lost: the move takes effect once, the response is the same."
call_as "$angels" "$matches/SubmitMove" "$submit"
expect "the receipt" "$receipt" "$(pick events.0.hash)"

step "10. Errors. Each has a reason for programs."
echo "A second choice in the same turn:"
refused NOT_YOUR_TURN -plaintext -H "matchbook-seat-token: $angels" \
  -d "{\"matchId\": \"$match\", \"notation\": \"1,1\"}" "$server" "$matches/SubmitMove"
echo
echo "A white space:"
refused ILLEGAL_MOVE -plaintext -H "matchbook-seat-token: $demons" \
  -d "{\"matchId\": \"$match\", \"notation\": \"1,2\"}" "$server" "$matches/SubmitMove"
echo
echo "A move without a token:"
refused MISSING_TOKEN -plaintext \
  -d "{\"matchId\": \"$match\", \"notation\": \"1,1\"}" "$server" "$matches/SubmitMove"
echo
echo "Another seat's view:"
refused NOT_ALLOWED -plaintext -H "matchbook-seat-token: $demons" \
  -d "{\"matchId\": \"$match\", \"viewer\": {\"seat\": 0}}" "$server" "$matches/GetView"

step "11. Compare views: the Angels see their sealed choice; everybody else sees only that they chose."
call_as "$angels" "$matches/GetView" "{\"matchId\": \"$match\"}"
case $answer in *ownChoice*) ;; *) fail "the view of the Angels lacks their own choice" ;; esac
call "$matches/GetView" "{\"matchId\": \"$match\"}"
case $answer in *ownChoice*) fail "a spectator's view contains a sealed choice" ;; esac

step "12. The Demons choose, by notation. The response contains the reveal: both choices in one event."
call_as "$demons" "$matches/SubmitMove" "{\"matchId\": \"$match\", \"notation\": \"1,1\"}"
expect "the reveal's seq" 7 "$(pick events.1.seq)"

step "13. Turn 2. The Demons submit a random move; the same seed draws the same move."
call_as "$demons" "$matches/SuggestMove" "{\"matchId\": \"$match\", \"seed\": 7}"
demons_move=$(pick move)
call_as "$demons" "$matches/SubmitMove" "{\"matchId\": \"$match\", \"move\": $demons_move}"
call_as "$angels" "$matches/SubmitMove" "{\"matchId\": \"$match\", \"notation\": \"3,3\"}"

step "14. Turn 3, the last turn."
call_as "$angels" "$matches/SubmitMove" "{\"matchId\": \"$match\", \"notation\": \"3,3\"}"
call_as "$demons" "$matches/SubmitMove" "{\"matchId\": \"$match\", \"notation\": \"1,3\"}"

step "15. The match is over: get the result, the position after turn 1, and the events by pages."
call "$matches/GetMatch" "{\"matchId\": \"$match\"}"
call "$matches/GetView" "{\"matchId\": \"$match\", \"atSeq\": 7}"
call "$matches/ListEvents" "{\"matchId\": \"$match\", \"pageSize\": 4}"
printf '%s\n' "$answer" >"$scratch/events.json"
next=$(pick nextPageToken)
call "$matches/ListEvents" "{\"matchId\": \"$match\", \"pageToken\": \"$next\"}"
printf '%s\n' "$answer" >>"$scratch/events.json"
call "$matches/GetView" "{\"matchId\": \"$match\", \"viewer\": {\"kind\": \"KIND_OPEN\"}}"
printf '%s\n' "$answer" >"$scratch/view.json"

step "16. Output of the third shell. The stream ended after the last event."
watched "$scratch/watch.json"

step "17. Export the log with its verifiable bytes: header first, signature last. List the verifying keys."
call "$logs/ListKeys" '{}'
key=$(pick keys.0.publicKey)
call "$logs/ExportLog" "{\"matchId\": \"$match\"}"
expect "the signing key" "$key" "$(pick_all head.publicKey)"

step "18. Read the feed: the events of all matches since the walk began, as an auditor does."
call "$logs/StreamFeed" "{\"after\": \"$before\", \"follow\": false}"
expect "events of our match" 14 "$(pick_all event.matchId | grep -c "$match")"

# --- The checks -----------------------------------------------------

step "19. An independent referee replays the moves (AD-6, AD-8) and compares."
space() { printf '{"angelsAndDemons": {"row": %d, "col": %d}}\n' "$1" "$2"; }
{ # Turn by turn, the Angels' choice first.
  echo "$angels_move" && space 1 1
  space 3 3 && echo "$demons_move"
  space 3 3 && space 1 3
} >"$scratch/moves.json"
python3 "$here/referee.py" "$scratch"

echo
echo "walk.sh: all checks passed"
