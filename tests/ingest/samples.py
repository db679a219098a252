"""Small documents of every format, made here, as bytes: the tests and the fuzz share them."""

import io
import json
import struct
import zipfile
import zlib

import docx
import openpyxl
from docx.oxml import parse_xml

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
HP = 'xmlns:hp="http://www.hancom.co.kr/hwpml/2011/paragraph"'
HS = 'xmlns:hs="http://www.hancom.co.kr/hwpml/2011/section"'
HH = 'xmlns:hh="http://www.hancom.co.kr/hwpml/2011/head"'


def zipped(members: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def rezipped(data: bytes, changes: dict[str, str | bytes]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members: dict[str, str | bytes] = {n: archive.read(n) for n in archive.namelist()}
    return zipped({**members, **changes})


def member(data: bytes, name: str) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name).decode()


def hwpx(
    body: str = "<hp:p><hp:run><hp:t>수원 화성은 정조가 쌓았다.</hp:t></hp:run></hp:p>",
) -> bytes:
    header = (
        f'<hh:head {HH}><hh:numberings><hh:numbering id="1">'
        '<hh:paraHead level="1" start="1" numFormat="DIGIT">^1.</hh:paraHead>'
        '<hh:paraHead level="2" start="1" numFormat="HANGUL_SYLLABLE">^2.</hh:paraHead>'
        "</hh:numbering></hh:numberings>"
        '<hh:paraPr id="0"><hh:heading type="NONE" idRef="0" level="0"/></hh:paraPr>'
        '<hh:paraPr id="1"><hh:heading type="OUTLINE" idRef="0" level="0"/></hh:paraPr>'
        '<hh:paraPr id="2"><hh:heading type="OUTLINE" idRef="0" level="1"/></hh:paraPr>'
        '<hh:paraPr id="3"><hh:heading type="NUMBER" idRef="1" level="0"/></hh:paraPr>'
        "</hh:head>"
    )
    section = (
        f'<hs:sec {HS} {HP}><hp:p paraPrIDRef="0"><hp:run><hp:secPr outlineShapeIDRef="1"/>'
        f"</hp:run></hp:p>{body}</hs:sec>"
    )
    return zipped(
        {
            "mimetype": "application/hwp+zip",
            "Contents/header.xml": header,
            "Contents/section0.xml": section,
        }
    )


def hwpx_para(text: str, shape: int = 0) -> str:
    return f'<hp:p paraPrIDRef="{shape}"><hp:run><hp:t>{text}</hp:t></hp:run></hp:p>'


def hwpx_table(rows: list[list[str]]) -> str:
    lines = "".join(
        "<hp:tr>"
        + "".join(
            f'<hp:tc><hp:subList>{cell}</hp:subList><hp:cellAddr colAddr="{c}" rowAddr="{r}"/>'
            '<hp:cellSpan colSpan="1" rowSpan="1"/></hp:tc>'
            for c, cell in enumerate(row)
        )
        + "</hp:tr>"
        for r, row in enumerate(rows)
    )
    return f"<hp:p><hp:run><hp:tbl>{lines}</hp:tbl></hp:run></hp:p>"


def record(tag: int, level: int, data: bytes = b"") -> bytes:
    size = len(data)
    head = tag | level << 10 | min(size, 0xFFF) << 20
    return struct.pack("<I", head) + (struct.pack("<I", size) if size >= 0xFFF else b"") + data


def hwp_para(text: str, level: int = 0, shape: int = 0) -> bytes:
    units = text.encode("utf-16-le") + b"\r\0"
    header = struct.pack("<IIHBB", len(units) // 2, 0, shape, 0, 0)
    return record(66, level, header) + record(67, level + 1, units)


def control(name: str, level: int, rest: bytes = b"") -> bytes:
    return record(71, level, name.encode()[::-1] + rest)


def anchored(character: int, name: str) -> str:
    """The eight characters that stand for a control inside a paragraph."""
    return chr(character) + name[::-1].encode().decode("utf-16-le") + "\0" * 4 + chr(character)


def hwp(
    section: bytes | None = None, info: bytes = b"", flags: int = 1, version: int = 0x05010000
) -> bytes:
    body = hwp_para("수원 화성은 정조가 쌓았다.") if section is None else section
    header = b"HWP Document File".ljust(32, b"\0") + struct.pack("<II", version, flags)
    return compound(
        {
            "FileHeader": header.ljust(256, b"\0"),
            "DocInfo": _deflate(info) if flags & 1 else info,
            "BodyText/Section0": _deflate(body) if flags & 1 else body,
        }
    )


def _deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def compound(streams: dict[str, bytes]) -> bytes:
    """An OLE file of version 3; streams are filled to 4,096 bytes, so that none is a mini stream."""
    sector = 512
    streams = {path: data.ljust(4096, b"\0") for path, data in streams.items()}
    names = ["Root Entry"]
    for path in streams:
        names += [part for part in path.split("/") if part not in names]
    bodies, starts, fat = b"", {}, []
    for path, data in streams.items():
        count = max(-(-len(data) // sector), 1)
        starts[path.split("/")[-1]] = (len(fat), len(data))
        fat += [*range(len(fat) + 1, len(fat) + count), -2]
        bodies += data.ljust(count * sector, b"\0")
    parents = {p.split("/")[-1]: p.split("/")[-2] for p in streams if "/" in p}
    entries = b""
    for at, name in enumerate(names):
        siblings = [n for n in names[1:] if parents.get(n) == parents.get(name)] if at else []
        after = siblings.index(name) + 1 if at else 0
        right = names.index(siblings[after]) if at and after < len(siblings) else -1
        children = [n for n in names[1:] if parents.get(n) == (name if at else None)]
        child = names.index(children[0]) if children else -1
        start, size = starts.get(name, (-2, 0))
        kind = 5 if at == 0 else 2 if name in starts else 1
        raw = name.encode("utf-16-le") + b"\0\0"
        entries += (
            raw.ljust(64, b"\0")
            + struct.pack("<HBBiii", len(raw), kind, 1, -1, right, child)
            + bytes(36)
            + struct.pack("<iII", start, size, 0)
        )
    count = -(-len(entries) // sector)
    directory_at = len(fat)
    fat += [*range(directory_at + 1, directory_at + count), -2]
    bodies += entries.ljust(count * sector, b"\0")
    fat_at = len(fat)
    fat_count = -(-(fat_at + 1) // 127)
    fat += [-3] * fat_count
    table = struct.pack(f"<{len(fat)}i", *fat).ljust(fat_count * sector, b"\xff")
    header = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
        + bytes(16)
        + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6)
        + bytes(6)
        + struct.pack("<IIiIIiIiI", 0, fat_count, directory_at, 0, 4096, -2, 0, -2, 0)
        + struct.pack("<109i", *(fat_at + n if n < fat_count else -1 for n in range(109)))
    )
    return header + bodies + table


def word() -> bytes:
    document = docx.Document()
    document.add_heading("한국의 문화재", level=0)
    document.add_heading("제1장 수원 화성", level=1)
    document.add_paragraph("수원 화성은 정조가 쌓은 성이다.")
    document.add_paragraph("장안문", style="List Number")
    document.add_paragraph("팔달문", style="List Number")
    table = document.add_table(rows=2, cols=2)
    for row, texts in enumerate((("이름", "연도"), ("화성", "1796년"))):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    document.sections[0].header.paragraphs[0].text = "문화재 안내"
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def word_with(xml: str) -> bytes:
    """A document whose body starts with the given paragraph or table."""
    document = docx.Document()
    document.add_paragraph("끝 문단이다.")
    document.element.body.insert(0, parse_xml(xml))
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def sheet(rows: list[list[object]] | None = None) -> bytes:
    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    page.title = "문화재"
    for row in rows or [["이름", "연도"], ["수원 화성", 1796], ["경복궁", 1395]]:
        page.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


HTML = """<!doctype html><html><head><title>수원 화성</title><script>alert(1)</script></head><body>
<header>사이트 이름</header><nav><a href="/">처음</a></nav>
<main><h1>수원 화성</h1><p>정조가 <b>1796년</b>에<br>완성하였다.</p>
<ul><li>장안문<ul><li>북문</li></ul></li><li>팔달문</li></ul>
<table><tr><th>이름</th><th>연도</th></tr><tr><td>화성</td><td>1796</td></tr></table></main>
<footer>저작권</footer></body></html>"""


def epub(page: str = HTML) -> bytes:
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>성곽 이야기</dc:title>'
        "</metadata><manifest>"
        '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/></spine></package>'
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    )
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "OEBPS/book.opf": package,
            "OEBPS/a.xhtml": page,
        }
    )


LAW = """문화유산법

제1장 총칙

제1조(목적) 이 법은 문화유산을 보존하는 것을 목적으로 한다.

제2조(정의) ① 이 법에서 "문화유산"이란 다음 각 호의 것을 말한다.
  1. 유형문화유산
    가. 건조물
  2. 기념물
② 국가유산청장은 제1항에 따른 문화유산을 지정할 수 있다.

제2조의2(다른 법률과의 관계) 다른 법률에 특별한 규정이 없으면 이 법에 따른다.

부칙 <제3644호, 1982. 12. 31.>
제1조(시행일) 이 법은 공포한 날부터 시행한다.
제2조 및 제3조 생략
제4조(경과조치) ① 종전의 처분은 이 법에 따른 것으로 본다.
"""

PAPER = json.dumps(
    {
        "title": "성곽 연구",
        "sections": [{"id": "S1", "title": "서론", "paragraphs": ["화성은 계획 도시다 [R1]."]}],
        "references": [{"id": "R1", "entry": "화성성역의궤, 1801."}],
    },
    ensure_ascii=False,
)
UPSTAGE = json.dumps(
    {
        "api": "2.0",
        "model": "document-parse",
        "elements": [
            {
                "id": 0,
                "page": 1,
                "category": "heading1",
                "content": {"html": "<h1>화성</h1>", "markdown": "", "text": ""},
                "coordinates": [{"x": 0.1, "y": 0.1}, {"x": 0.9, "y": 0.2}],
            },
            {
                "id": 1,
                "page": 1,
                "category": "table",
                "content": {"html": "<table><tr><td>가</td><td>나</td></tr></table>"},
            },
        ],
        "usage": {"pages": 1},
    },
    ensure_ascii=False,
)
BEIR = '{"_id": "d1", "title": "화성", "text": "수원에 있다."}\n{"_id": "d2", "text": "둘째 글."}\n'
MARKDOWN = (
    "# 화성\n\n수원에 있다.\n\n- 장안문\n- 팔달문\n\n| 문 | 방향 |\n|---|---|\n| 장안문 | 북 |\n"
)
CSV = "이름,연도\n수원 화성,1796\n경복궁,1395\n"
TEXT = "수원 화성은 정조가 쌓은 성이다.\n\n둘레는 5.7킬로미터이다.\n"


def all_samples() -> dict[str, bytes]:
    """A file of every format by its name."""
    return {
        "화성.hwp": hwp(),
        "화성.hwpx": hwpx(),
        "화성.docx": word(),
        "화성.xlsx": sheet(),
        "화성.epub": epub(),
        "화성.html": HTML.encode(),
        "화성.csv": CSV.encode(),
        "법.txt": LAW.encode(),
        "글.txt": TEXT.encode(),
        "글.md": MARKDOWN.encode(),
        "논문.json": PAPER.encode(),
        "응답.json": UPSTAGE.encode(),
        "corpus.jsonl": BEIR.encode(),
    }
