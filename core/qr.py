"""QR codes as inline SVG."""

import io

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_svg(text: str, *, scale: int = 4, is_fluid: bool = False) -> SafeString:
    """An inline `<svg class="qr">` of `text` (an address), readable from half a metre.

    `scale` is the side of a module in px; a fluid one is as large as the page's CSS says. Dark on
    white whatever the page's theme, as cameras want it.
    """
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", scale=scale, border=4, xmldecl=False, svgns=False, svgclass="qr",
        lineclass=None, light="#ffffff", dark="#000000", omitsize=is_fluid,
    )  # fmt: skip
    return mark_safe(out.getvalue().decode())
