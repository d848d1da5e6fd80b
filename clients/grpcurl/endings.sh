#!/usr/bin/env bash
# A second walk with grpcurl alone: a match with clocks, a draw offered, declined,
# offered again and accepted, a move taken back, a new token, a rematch, a fork, and the directory. Like
# walk.sh it prints each call and its response, checks the results, and exits with 1 if
# a check fails.
#
#   MATCHBOOK_SERVER  host:port of the service (default 127.0.0.1:7420)
#   GRPCURL           path of grpcurl (default grpcurl)
# shellcheck source=steps.sh
. "$(dirname "$0")/steps.sh"

# of MATCH [FIELDS]: prints a request about a match, with a new request_id.
of() {
  printf '{"matchId": "%s", %s"requestId": "%s"}' "$1" "${2:-}" "$(new_uuid)"
}

# handing MATCH [FIELDS]: as `of`, for a call that returns a token.
handing() {
  of "$1" "${2:-}\"claimSecret\": \"$(new_secret)\", "
}

# --- The walk ---------------------------------------------------------------

step "1. Create a match of Ludus Magus with clocks: five minutes, and an increment of three seconds per move."
call "$matches/CreateMatch" \
  '{"gameId": "ludus-magus", "timeControl": {"bank": {"budget": "300s", "increment": "3s"}}}'
match=$(pick match.matchId)

step "2. Two players claim the seats; a third shell watches. The clocks start with the second claim."
claim "$match" 0 Merlin
white=$token
watch "$scratch/watch.json" "{\"matchId\": \"$match\", \"afterSeq\": 2}"
claim "$match" 1 Morgana
black=$token
echo
echo "White moves; the view in the response has the clocks and the time when Black's runs out:"
call_as "$white" "$matches/SuggestMove" "{\"matchId\": \"$match\", \"seed\": 7}"
move=$(pick move)
call_as "$white" "$matches/SubmitMove" "$(of "$match" "\"move\": $move, ")"
pick view.clocks.seats.1.dueTime >/dev/null
expect "Black's bank" 300s "$(pick view.clocks.seats.1.remaining)"

step "3. White offers a draw. The offer is open until Black answers or White moves."
draw='"kind": "PROPOSAL_KIND_DRAW", '
call_as "$white" "$matches/MakeProposal" "$(of "$match" "$draw")"
expect "the open proposal" PROPOSAL_KIND_DRAW "$(pick view.proposals.0.kind)"
echo
echo "A seat cannot accept its own offer:"
refused NO_PROPOSAL -plaintext -H "matchbook-seat-token: $white" \
  -d "{\"matchId\": \"$match\", $draw\"accept\": true}" "$server" "$matches/AnswerProposal"

step "4. Black declines. White cannot offer again before its next move."
call_as "$black" "$matches/AnswerProposal" "$(of "$match" "$draw\"accept\": false, ")"
refused ALREADY_PROPOSED -plaintext -H "matchbook-seat-token: $white" \
  -d "{\"matchId\": \"$match\", \"kind\": \"PROPOSAL_KIND_DRAW\"}" "$server" "$matches/MakeProposal"

step "5. Too late to abort the match: White has moved."
refused TOO_LATE_TO_ABORT -plaintext -H "matchbook-seat-token: $black" \
  -d "{\"matchId\": \"$match\"}" "$server" "$matches/AbortMatch"

step "6. White asks to take back its move, and Black agrees. White's clock runs again."
takeback='"kind": "PROPOSAL_KIND_TAKEBACK", '
call_as "$white" "$matches/MakeProposal" "$(of "$match" "$takeback")"
call_as "$black" "$matches/AnswerProposal" "$(of "$match" "$takeback\"accept\": true, ")"
expect "the moves taken back" 1 "$(pick events.0.proposalAnswered.movesTakenBack)"
pick view.clocks.seats.0.dueTime >/dev/null
expect "Black's bank" 300s "$(pick view.clocks.seats.1.remaining)"
echo
echo "It has no other move to take back:"
refused NOTHING_TO_TAKE_BACK -plaintext -H "matchbook-seat-token: $white" \
  -d "{\"matchId\": \"$match\", \"kind\": \"PROPOSAL_KIND_TAKEBACK\"}" "$server" "$matches/MakeProposal"

step "7. Rotate White's token: the old one is revoked."
call_as "$white" "$matches/RotateSeatToken" "$(handing "$match" '"seat": 0, ')"
old=$white
white=$(pick seatToken)
refused BAD_TOKEN -plaintext -H "matchbook-seat-token: $old" \
  -d "{\"matchId\": \"$match\"}" "$server" "$matches/GetView"

step "8. Black offers, White accepts: a draw by agreement."
call_as "$black" "$matches/MakeProposal" "$(of "$match" "$draw")"
call_as "$white" "$matches/AnswerProposal" "$(of "$match" "$draw\"accept\": true, ")"
expect "the reason" agreement "$(pick view.result.reason)"

step "9. Output of the third shell."
watched "$scratch/watch.json"

step "10. Create a rematch with seats swapped. In a game without chance the seat is claimed at once."
call_as "$white" "$matches/CreateRematch" "$(handing "$match")"
rematch=$(pick match.matchId)
expect "Merlin's new seat" 1 "$(pick seat)"
call_as "$black" "$matches/CreateRematch" "$(handing "$match")"
expect "the same rematch" "$rematch" "$(pick match.matchId)"
expect "its status" MATCH_STATUS_RUNNING "$(pick match.status)"
morgana=$(pick seatToken)

step "11. Morgana, now White, resigns."
call_as "$morgana" "$matches/Resign" "$(of "$rematch")"
expect "the winner" "OUTCOME_WIN 1" "$(pick view.result.outcome) $(pick view.result.standings.1.rank)"

step "12. Fork the first match after White's first move, which was taken back later."
call "$matches/ForkMatch" "$(of "$match" '"atSeq": 5, "timeControl": {"perMove": {"moveTime": "86400s"}}, ')"
fork=$(pick match.matchId)
expect "the fork's position" 5 "$(pick match.forkedFrom.seq)"
claim "$fork" 0 Ann
claim "$fork" 1 Bob
call "$matches/GetView" "{\"matchId\": \"$fork\"}"
expect "who is to move" 1 "$(pick view.toAct.0)"

step "13. List matches by player and by status."
call "$matches/ListMatches" '{"player": "Merlin", "pageSize": 2}'
expect "the newest match" "$rematch" "$(pick matches.0.matchId)"
expect "the match before" "$match" "$(pick matches.1.matchId)"
call "$matches/ListMatches" '{"gameId": "ludus-magus", "status": "MATCH_STATUS_RUNNING", "pageSize": 1}'
expect "the running match" "$fork" "$(pick matches.0.matchId)"

echo
echo "endings.sh: all checks passed"
