"""reference.py FILE: the text of a presentation, workbook or OpenDocument text as other libraries read it, and how many headings, list items and rows it has, as JSON."""

import json
import sys
import zipfile
from xml.etree import ElementTree

TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
APART = {TEXT + "tracked-changes", OFFICE + "annotation", OFFICE + "forms", SVG + "title", SVG + "desc", TEXT + "note-citation"}
BLANKS = {TEXT + "s", TEXT + "tab", TEXT + "line-break"}
BLOCKS = {TEXT + "p", TEXT + "h"}


def pptx(path):
    from pptx import Presentation
    from pptx.enum.shapes import PP_PLACEHOLDER

    running = {PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER}
    texts, rows = [], 0

    def take(shapes):
        nonlocal rows
        for shape in shapes:
            if hasattr(shape, "shapes"):
                take(shape.shapes)
            elif shape.is_placeholder and shape.placeholder_format.type in running:
                continue
            elif getattr(shape, "has_table", False) and shape.has_table:
                rows += len(shape.table.rows)
                texts.extend(cell.text for row in shape.table.rows for cell in row.cells)
            elif shape.has_text_frame:
                texts.append(shape.text_frame.text)

    slides = Presentation(path).slides
    for slide in slides:
        take(slide.shapes)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            texts.append(slide.notes_slide.notes_text_frame.text)
    return {"text": "\n".join(texts), "headings": len(slides), "items": 0, "rows": rows}


def xlsx(path):
    import openpyxl

    texts, rows, sheets = [], 0, 0
    for sheet in openpyxl.load_workbook(path, data_only=True, read_only=True).worksheets:
        sheet.reset_dimensions()
        sheets += 1
        texts.append(sheet.title)
        for row in sheet.iter_rows(values_only=True):
            cells = [said(value) for value in row if value is not None]
            rows += len(cells) > 0
            texts.append(" ".join(cells))
    return {"text": "\n".join(texts), "headings": sheets, "items": 0, "rows": rows}


def said(value):
    if hasattr(value, "hour"):
        return value.isoformat(timespec="milliseconds").removesuffix(".000").removesuffix("T00:00:00")
    return str(value)


def odt(path):
    with zipfile.ZipFile(path) as package:
        body = ElementTree.fromstring(package.read("content.xml")).find(OFFICE + "body")
    texts = []

    def take(element):
        if element.tag in APART:
            return
        if element.tag in BLANKS:
            texts.append(" ")
        texts.append(element.text or "")
        for child in element:
            take(child)
            texts.append(child.tail or "")
        if element.tag in BLOCKS:
            texts.append("\n")

    take(body)
    headings = [one for one in body.iter(TEXT + "h") if "".join(one.itertext()).strip()]
    items = [one for one in body.iter(TEXT + "list-item") if one.find(TEXT + "p") is not None]
    return {"text": "".join(texts), "headings": len(headings), "items": len(items), "rows": sum(1 for _ in body.iter(TABLE + "table-row"))}


path = sys.argv[1]
print(json.dumps({"pptx": pptx, "xlsx": xlsx, "odt": odt}[path.rsplit(".", 1)[1].lower()](path)))
