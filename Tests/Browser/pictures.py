"""Pictures that are kept, and compared with what a browser draws now."""

import io
import os
import pathlib

from PIL import Image, ImageChops, ImageDraw, ImageFilter

KEPT = pathlib.Path(__file__).resolve().parent / "Pictures"
#: Where those are put that are not as they were.
REJECTED = KEPT.parent.parent.parent / ".build" / "browser" / "rejected"
#: Set by `run --keep`: pictures are written anew, for people to look at before they are kept.
IS_KEEPING = os.environ.get("KEEP_PICTURES") == "1"
#: A pixel differs by more than this, of 255, after a blur that forgives the smoothing of letters.
DIFFERENCE = 32
#: Of all pixels, so many may differ: a line of text that wraps elsewhere is more.
SHARE = 0.004


def differing_share(one, other):
    """The share of pixels that differ; all of them if the sizes do."""
    if one.size != other.size:
        return 1.0
    blur = ImageFilter.GaussianBlur(1.5)
    difference = ImageChops.difference(one.filter(blur), other.filter(blur)).convert("L")
    differing = sum(difference.histogram()[DIFFERENCE:])
    return differing / (one.width * one.height)


def compare(name, screenshot):
    """Returns what is wrong with a screenshot's bytes, or None; a rejected picture is put there."""
    path = KEPT / f"{name}.png"
    picture = Image.open(io.BytesIO(screenshot)).convert("RGB")
    if IS_KEEPING:
        KEPT.mkdir(exist_ok=True)
        # A palette of so many colours is a third of the size, and as good to look at.
        picture.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)
        return None
    if not path.exists():
        return f"there is no picture {path.name}; make it with Tests/Browser/run --keep, and look at it"
    share = differing_share(Image.open(path).convert("RGB"), picture)
    if share <= SHARE:
        return None
    REJECTED.mkdir(parents=True, exist_ok=True)
    picture.save(REJECTED / f"{name}.png")
    return f"{share:.2%} of {name} differ from the kept picture; see {REJECTED / name}.png"


def hills(width, height):
    """A picture for messages, drawn the same everywhere: hills at dusk."""
    picture = Image.new("RGB", (width, height))
    draw = ImageDraw.Draw(picture)
    for row in range(height):
        share = row / height
        draw.line([(0, row), (width, row)],
                  (int(38 + 190 * share), int(28 + 80 * share), int(84 + 30 * share)))
    draw.ellipse([width * .62, height * .22, width * .62 + width * .14, height * .22 + width * .14],
                 fill=(255, 214, 150))
    for step, color in enumerate([(74, 38, 84), (48, 26, 64), (26, 16, 40)]):
        top = height * (.55 + .14 * step)
        draw.polygon([(0, height), (0, top), (width * (.2 + .2 * step), top - height * .12),
                      (width * (.55 + .1 * step), top + height * .05), (width, top - height * .06),
                      (width, height)], fill=color)
    output = io.BytesIO()
    picture.save(output, "PNG")
    return output.getvalue()
