"""Plays a match of every game through `matchbook mcp`, as a model's host does, with PyPI's package `mcp`.

Usage: play_every_game.py PATH_OF_MATCHBOOK. The environment names the service and the state folder.
No answer may contain a seat's token.
"""

import asyncio
import json
import os
import re
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

GAMES = {
    "angels-and-demons": {"rows": 4, "cols": 4, "turns": 3},
    "ludus-magus": {"max_turns": 8},
    "ace-exorcist": {},
    "cresnovian-chess": {},
}
TOOLS = {
    "list_games", "read_rules", "list_open_matches", "create_match", "join_match", "my_matches", "look",
    "wait", "legal_moves", "choose", "make_move", "propose", "answer_proposal", "resign",
}
# A match of Cresnovian Chess has no natural end for first choices; then the player resigns.
MOST_MOVES = 12
SECRET = re.compile(r"mb[sk]_[A-Za-z0-9_-]{8,}")


class Agent:
    """A model's host: calls tools and reads text."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session

    async def ask(self, tool: str, *, fails: bool = False, **arguments: object) -> str:
        result = await self.session.call_tool(tool, arguments)
        text = "".join(block.text for block in result.content if block.type == "text")
        is_error = getattr(result, "isError", None) if hasattr(result, "isError") else result.is_error
        assert bool(is_error) == fails, f"{tool} {arguments}: {text}"
        assert not SECRET.search(text), f"{tool} shows a token: {text}"
        return text

    async def first_choices(self, match_id: str) -> str:
        """Builds a move by taking the first choice everywhere."""
        answers: list[str] = []
        while True:
            text = await self.ask("choose", match_id=match_id, answers=answers)
            if text.startswith("Finished"):
                return text.splitlines()[1]
            answer = json.loads(text)["answer"]
            if "one_of" in answer:
                answers.append(answer["one_of"][0]["value"])
            elif "integer" in answer:
                answers.append(str(answer["integer"][0]))
            else:
                answers.append("a" * max(1, answer["text_of_chars"][0]))

    async def play(self, game: str) -> None:
        options = GAMES[game]
        text = await self.ask("create_match", game=game, against="bot", name="Model", options=options)
        found = re.search(r"Match ([0-9a-f-]{36})", text)
        assert found, text
        match_id = found[1]
        moves = 0
        while "The match is over." not in text:
            text = await self.ask("wait", match_id=match_id, seconds=300)
            if "The match is over." in text:
                break
            assert "Your move." in text, text
            if moves == MOST_MOVES and game == "cresnovian-chess":
                text = await self.ask("resign", match_id=match_id)
                break
            legal = (await self.ask("legal_moves", match_id=match_id, limit=50)).splitlines()
            use_list = moves % 2 == 0 and not legal[0].startswith("More moves")
            notation = legal[0] if use_list else await self.first_choices(match_id)
            text = await self.ask("make_move", match_id=match_id, notation=notation)
            moves += 1
        assert moves > 0 and match_id in await self.ask("my_matches")
        await self.ask("make_move", match_id=match_id, notation="1,1", fails=True)
        print(f"{game}: {moves} moves")


async def begin(program: StdioServerParameters) -> str:
    """Begins a match against a bot and ends the program after the bot's first move."""
    async with stdio_client(program) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        agent = Agent(session)
        text = await agent.ask("create_match", game="ludus-magus", against="bot", name="Model", seat="black")
        match_id = re.search(r"Match ([0-9a-f-]{36})", text)[1]
        assert "Your move." in await agent.ask("wait", match_id=match_id, seconds=300)
        return match_id


async def go_on(agent: Agent, match_id: str) -> None:
    """Moves in a match of an earlier program; its bot replies."""
    legal = (await agent.ask("legal_moves", match_id=match_id)).splitlines()
    await agent.ask("make_move", match_id=match_id, notation=legal[0])
    assert "Your move." in await agent.ask("wait", match_id=match_id, seconds=60)
    await agent.ask("resign", match_id=match_id)


async def refuse(agent: Agent) -> None:
    """Tries what cannot work; each answer says what to do."""
    unknown = "00000000-0000-7000-8000-000000000000"
    for tool, arguments, says in [
        ("look", {"match_id": unknown}, "join_match"),
        ("look", {"match_id": "here"}, "UUID"),
        ("join_match", {"match_id": unknown, "name": "Model"}, "match not found"),
        ("create_match", {"game": "chess", "against": "bot", "name": "Model"}, "games"),
        ("create_match", {"game": "ludus-magus", "against": "bot", "name": "M", "seat": "green"}, "white"),
        ("create_match", {"game": "ludus-magus", "against": "bot", "name": "M", "options": {"x": 1}}, "x"),
    ]:
        text = await agent.ask(tool, fails=True, **arguments)
        assert says in text, f"{tool} {arguments}: {text}"


async def main() -> None:
    program = StdioServerParameters(command=sys.argv[1], args=["mcp"], env=dict(os.environ))
    begun = await begin(program)
    async with stdio_client(program) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        assert {tool.name for tool in tools} == TOOLS, [tool.name for tool in tools]
        assert all(tool.description for tool in tools)
        resources = (await session.list_resources()).resources
        assert len(resources) == len(GAMES), resources
        for resource in resources:
            page = (await session.read_resource(resource.uri)).contents[0]
            assert page.text.startswith("# "), page
        agent = Agent(session)
        await refuse(agent)
        assert "rows" in await agent.ask("list_games")
        assert (await agent.ask("read_rules", game="ludus-magus")).startswith("# ")
        open_match = await agent.ask("create_match", game="ludus-magus", against="anyone", name="Model")
        match_id = re.search(r"Match ([0-9a-f-]{36})", open_match)[1]
        assert match_id in await agent.ask("list_open_matches", game="ludus-magus")
        assert "Waiting for the other player" in await agent.ask("wait", match_id=match_id, seconds=1)
        await agent.ask("join_match", match_id=match_id, name="Again", fails=True)
        await go_on(agent, begun)
        for game in GAMES:
            await agent.play(game)


asyncio.run(main())
