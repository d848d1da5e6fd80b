"""PettingZoo environments: the four games against a Matchbook service, for reinforcement learning.

Requires the extra `matchbook[pettingzoo]`.

Each environment is an AEC environment in which `player_0` and `player_1` hold the seats 0 and 1 of one
match after another. An observation is a dict: `observation` is an array of `float32` from 0 to 1, made from
nothing but the view of the agent's own seat, and `action_mask` an array of `int8` that is 1 where an action
is legal. It is all 0 unless the agent is to act. Shapes and actions of each game:

| game | observation | actions |
|---|---|---|
| `angels-and-demons` | `(5, rows, cols)` | a black space: 32 on the default board |
| `ace-exorcist` | `(406,)` | 640: a kind of move and a subset of the hand |
| `ludus-magus` | `(38, 9, 9)` | 4093: a place, a kind of move and directions |
| `cresnovian-chess` | `(834,)` | 2048 listed moves and 4 sampled ones |

The modules of the games describe every plane and index. Only `cresnovian_chess` leaves out moves.

When the match ends, each agent is rewarded with the share of the other seats that it ranks above, less the
share that ranks above it: 1 for a win, -1 for a loss, 0 for a draw. All other rewards are 0. The end of a
match terminates all agents, and `max_cycles` truncates them.
"""

from .environment import Observation, env, parallel_env, raw_env

__all__ = ["Observation", "env", "parallel_env", "raw_env"]
