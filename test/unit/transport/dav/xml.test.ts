import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../../src/domain/errors.ts";
import { contentOf, MAX_XML_BYTES, parseXml, textIn } from "../../../../src/transport/dav/xml-reader.ts";
import { escaped } from "../../../../src/transport/dav/xml-text.ts";

const read = (text: string) => parseXml(Buffer.from(text));
const outcome = (text: string | Uint8Array): string => {
  try {
    parseXml(typeof text === "string" ? Buffer.from(text) : text);
    return "read";
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.message;
  }
};

describe("the XML of requests", () => {
  it("XML is parsed with its namespaces resolved", () => {
    const root = read(
      '<?xml version="1.0"?><D:a xmlns:D="DAV:" xml:lang="de"><b xmlns="urn:x">t<![CDATA[<&]]>u</b></D:a>',
    );
    const [inner] = root.children;
    expect([root.namespace, root.name, inner?.namespace, inner?.name]).toEqual(["DAV:", "a", "urn:x", "b"]);
    expect(inner && textIn(inner)).toBe("t<&u");
    expect(inner?.language).toBe("de");
  });

  it("a stored XML property carries its namespaces and keeps its meaning", () => {
    const source =
      '<p xmlns="urn:p" xmlns:q="urn:q" xmlns:unused="urn:u">a &amp; <q:b q:c="1&lt;2"><d/></q:b><e xmlns=""/></p>';
    const stored = contentOf(read(source), MAX_XML_BYTES);
    expect(stored).toBe('a &amp; <q:b xmlns:q="urn:q" q:c="1&lt;2"><d xmlns="urn:p"/></q:b><e xmlns=""/>');
    const again = read(`<p>${stored}</p>`);
    expect(contentOf(again, MAX_XML_BYTES)).toBe(stored);
  });

  it.each([
    ["", /well-formed|no XML element/],
    ["not xml", /well-formed/],
    ["<a>", /well-formed/],
    ["<a></b>", /well-formed/],
    ['<a x="1" x="2"/>', /well-formed/],
    ['<D:a xmlns:D=""/>', /well-formed/],
    ["<D:a/>", /well-formed/],
    ["<a/><b/>", /well-formed/],
    ["<a>&unknown;</a>", /well-formed/],
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', /document type/],
    ['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', /document type/],
  ])("the malformed XML %s is refused", (text, message) => {
    expect(outcome(text)).toMatch(message);
  });

  it("XML is limited in depth and elements", () => {
    expect(outcome("<a>".repeat(33))).toMatch(/deeper/);
    expect(outcome(`<a>${"<b/>".repeat(1000)}</a>`)).toMatch(/elements/);
  });

  it("XML with a long language is refused, because every element inside has it", () => {
    const elements = "<a/>".repeat(900);
    expect(outcome(`<x xml:lang="${"x".repeat(100)}">${elements}</x>`)).toBe("read");
    expect(outcome(`<x xml:lang="${"x".repeat(60_000)}">${elements}</x>`)).toMatch(
      /xml:lang of more than 100/,
    );
  });

  it("XML with a long namespace or many attributes is refused before its elements repeat them", () => {
    const namespace = "n".repeat(50_000);
    const elements = `<p>${"<a/>".repeat(900)}</p>`;
    expect(outcome(`<x xmlns="${namespace}">${elements}</x>`)).toMatch(/a namespace of more than 1024/);
    expect(outcome(`<x xmlns:q="${namespace}"><a q:b="c"/></x>`)).toMatch(/a namespace of more than 1024/);
    // an unused entity repeats nothing
    expect(outcome(`<x xmlns:q="${namespace}">${elements}</x>`)).toBe("read");
    const attributes = Array.from({ length: 1001 }, (_, i) => `a${i}=""`);
    expect(outcome(`<x ${attributes.join(" ")}/>`)).toMatch(/more than 1000 attributes/);
  });

  it("XML may be UTF-8, or UTF-16 with a byte order mark", () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("<ä/>", "utf16le")]);
    expect(parseXml(utf16).name).toBe("ä");
    expect(outcome(Buffer.from([0x3c, 0xff, 0x2f, 0x3e]))).toMatch(/UTF-8/);
  });

  it("XML that grows when its namespaces are expanded is refused", () => {
    const namespace = `urn:${"n".repeat(500)}`;
    const source = `<p xmlns:q="${namespace}">${"<q:b/>".repeat(900)}</p>`;
    expect(() => contentOf(read(source), 8192)).toThrow(/8192 bytes/);
  });

  it("characters that XML forbids are replaced when text is escaped", () => {
    expect(escaped('a\0b\x1b<&>"\ud800\uffff\r')).toBe("a\ufffdb\ufffd&lt;&amp;&gt;&quot;\ufffd\ufffd&#13;");
  });
});
