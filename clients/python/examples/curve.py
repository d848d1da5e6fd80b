"""A learning curve as SVG, in the light or dark colours of the reader's system."""

from collections.abc import Sequence

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 40, 48

STYLE = """\
text{font:13px system-ui,Segoe UI,Helvetica Neue,Arial,DejaVu Sans,sans-serif;fill:#1c1d20}
.paper{fill:#ffffff}.grid{stroke:#d5d6db}.random{stroke:#6d6e78;stroke-dasharray:6 4}
.mean{fill:none;stroke:#1769aa;stroke-width:2.5;stroke-linejoin:round}
@media (prefers-color-scheme:dark){text{fill:#eeeef0}.paper{fill:#17181b}.grid{stroke:#3a3b42}
.random{stroke:#a9a9b2}.mean{stroke:#70b9f3}}"""


def drawn(means: Sequence[float], batch: int, at_random: float) -> str:
    """Draws the mean reward in each batch of matches, and that of random play."""
    matches = len(means) * batch

    def x(match: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * match / matches, 1)

    def y(reward: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - reward) / 2, 1)

    right, below = WIDTH - RIGHT, HEIGHT - BOTTOM
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-labelledby="title">',
        f'<title id="title">Mean reward in {matches} matches: {means[0]:+.2f} to {means[-1]:+.2f}</title>',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<text x="{LEFT}" y="24">Mean reward of each {batch} matches: 1 if all are won</text>',
    ]
    for reward in (-1, -0.5, 0, 0.5, 1):
        lines.append(f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{y(reward)}" y2="{y(reward)}"/>')
        label = f'<text x="{LEFT - 8}" y="{y(reward) + 4}" text-anchor="end">{reward:g}</text>'
        lines.append(label)
    for match in range(0, matches + 1, matches // 4):
        anchor = "end" if match == matches else "middle"
        lines.append(f'<text x="{x(match)}" y="{below + 20}" text-anchor="{anchor}">{match}</text>')
    points = " ".join(f"{x((i + 0.5) * batch)},{y(mean)}" for i, mean in enumerate(means))
    lines += [
        f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 8}" text-anchor="middle">matches</text>',
        f'<line class="random" x1="{LEFT}" x2="{right}" y1="{y(at_random)}" y2="{y(at_random)}"/>',
        f'<text x="{right - 8}" y="{y(at_random) - 6}" text-anchor="end">random play</text>',
        f'<polyline class="mean" points="{points}"/>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
