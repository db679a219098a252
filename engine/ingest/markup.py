"""HTML parsed whole or refused: lxml drops what passes its limits without a word.

No entity of a page's own is expanded and nothing it refers to is loaded.
"""

from __future__ import annotations

import re
from typing import Any, cast

import lxml.html
from lxml import etree

from engine.errors import SourceError

_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


def parse_page(text: str) -> Any:
    """Tree of a page, however broken.

    Raises:
        SourceError: there is nothing to parse, or it passes the limits of the parser.
    """
    parser = lxml.html.HTMLParser(no_network=True, huge_tree=False)
    try:
        root = lxml.html.document_fromstring(_DECLARATION.sub("", text), parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError) as error:
        raise SourceError(f"not readable as HTML: {error}") from None
    _check_limits(parser)
    return cast(Any, root)


def parse_fragment(text: str) -> Any:
    """Tree of a piece of a page, below a ``div``.

    Raises:
        SourceError: it passes the limits of the parser.
    """
    parser = lxml.html.HTMLParser(no_network=True, huge_tree=False)
    root = lxml.html.fragment_fromstring(text, create_parent="div", parser=parser)
    _check_limits(parser)
    return cast(Any, root)


def _check_limits(parser: Any) -> None:
    for entry in parser.error_log:
        if entry.type_name == "ERR_RESOURCE_LIMIT":
            raise SourceError("HTML with a text of over 10 MB or elements over 256 deep; refused")
