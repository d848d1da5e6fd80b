#!/usr/bin/env bash
# A second walk with grpcurl and nothing else: a match with clocks, a draw offered,
# declined, offered again and accepted, a new token, a rematch, a fork, and the
# directory. As walk.sh it prints each call and its answer, checks the results, and
# exits with 1 if anything is not as it should be.
#
#   MATCHBOOK_SERVER  host:port of the service (127.0.0.1:7420)
#   GRPCURL           the grpcurl to use (grpcurl)
# shellcheck source=steps.sh
. "$(dirname "$0")/steps.sh"

# of MATCH [FIELDS]: a request about a match, with a new request_id.
of() {
  printf '{"matchId": "%s", %s"requestId": "%s"}' "$1" "${2:-}" "$(new_uuid)"
}

# --- The walk ---------------------------------------------------------------

step "1. A match of Ludus Magus with clocks: five minutes for all moves, three seconds more with each."
call "$matches/CreateMatch" '{"game": "ludus-magus", "timeControl": {"bank": {"bankMs": 300000, "incrementMs": 3000}}}'
match=$(pick match.matchId)

step "2. Two players take the seats; a third shell watches. The clocks run from the second claim on."
claim "$match" SEAT_ZERO Merlin
white=$token
watch "$scratch/watch.json" "{\"matchId\": \"$match\", \"afterSeq\": 2}"
claim "$match" SEAT_ONE Morgana
black=$token
echo
echo "White moves; the answer's view has the clocks, and when Black's time is over."
call_as "$white" "$matches/SampleMove" "{\"matchId\": \"$match\", \"seed\": 7}"
move=$(pick move)
call_as "$white" "$matches/SubmitMove" "$(of "$match" "\"move\": $move, ")"
pick view.clocks.seats.1.dueTime >/dev/null
expect "Black's bank" 300000 "$(pick view.clocks.seats.1.remainingMs)"

step "3. White offers a draw. It stands until Black answers it or White moves."
call_as "$white" "$matches/OfferDraw" "$(of "$match")"
expect "whose offer stands" SEAT_ZERO "$(pick view.drawOfferedBy)"
echo
echo "Nobody accepts an offer of one's own:"
refused no_draw_offer -plaintext -H "authorization: Bearer $white" -d "{\"matchId\": \"$match\"}" "$server" "$matches/AcceptDraw"

step "4. Black declines. White can't offer again before its next move."
call_as "$black" "$matches/DeclineDraw" "$(of "$match")"
refused draw_already_offered -plaintext -H "authorization: Bearer $white" -d "{\"matchId\": \"$match\"}" "$server" "$matches/OfferDraw"

step "5. It is too late to call the match off: White has moved."
refused too_late_to_abort -plaintext -H "authorization: Bearer $black" -d "{\"matchId\": \"$match\"}" "$server" "$matches/AbortMatch"

step "6. Somebody may have seen White's token: a new one makes it void."
call_as "$white" "$matches/RotateSeatToken" "$(of "$match" '"seat": "SEAT_ZERO", ')"
old=$white
white=$(pick seatToken)
refused bad_token -plaintext -H "authorization: Bearer $old" -d "{\"matchId\": \"$match\"}" "$server" "$matches/GetView"

step "7. Black offers, White accepts: a draw by agreement."
call_as "$black" "$matches/OfferDraw" "$(of "$match")"
call_as "$white" "$matches/AcceptDraw" "$(of "$match")"
expect "the reason" agreement "$(pick view.result.reason)"

step "8. What the third shell saw."
watched "$scratch/watch.json"

step "9. A rematch: the same again with seats swapped. In a game without chance the seat is claimed at once."
call_as "$white" "$matches/CreateRematch" "$(of "$match")"
rematch=$(pick match.matchId)
expect "Merlin's new seat" SEAT_ONE "$(pick seat)"
call_as "$black" "$matches/CreateRematch" "$(of "$match")"
expect "the same rematch" "$rematch" "$(pick match.matchId)"
expect "its status" MATCH_STATUS_RUNNING "$(pick match.status)"
morgana=$(pick seatToken)

step "10. Morgana, who is White now, gives it up."
call_as "$morgana" "$matches/Resign" "$(of "$rematch")"
expect "the winner" SEAT_ONE "$(pick view.result.winner)"

step "11. What if? A fork goes on from the position after White's first move of the first match."
call "$matches/ForkMatch" "$(of "$match" '"atSeq": 5, "timeControl": {"perMove": {"moveMs": 86400000}}, ')"
fork=$(pick match.matchId)
expect "where it comes from" 5 "$(pick match.forkedFrom.seq)"
claim "$fork" SEAT_ZERO Ann
claim "$fork" SEAT_ONE Bob
call "$matches/GetView" "{\"matchId\": \"$fork\"}"
expect "who is to move" SEAT_ONE "$(pick view.toAct.0)"

step "12. The directory finds them: by player, by status."
call "$matches/ListMatches" '{"player": "Merlin", "pageSize": 2}'
expect "the newest" "$rematch" "$(pick matches.0.matchId)"
expect "the one before" "$match" "$(pick matches.1.matchId)"
call "$matches/ListMatches" '{"game": "ludus-magus", "status": "MATCH_STATUS_RUNNING", "pageSize": 1}'
expect "what runs" "$fork" "$(pick matches.0.matchId)"

echo
echo "endings.sh: all is as it should be"
