import { createSecretKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { CURSOR_KEY_BYTES, CURSOR_NONCE_BYTES, openCursor, sealCursor } from "../../../src/domain/cursor.ts";
import { MAX_URI_BYTES } from "../../../src/domain/uri.ts";

const keyOf = (text: string) => createSecretKey(Buffer.alloc(CURSOR_KEY_BYTES, text));
const KEY = keyOf("key");
const NONCE = Buffer.alloc(CURSOR_NONCE_BYTES, "nonce");
const CONTENT = { place: "user/ann/ä/日本.md", expires: 1_900_000_000_000 };
const BINDING = '["ls",7,"ann"]';

const seal = (content = CONTENT) => sealCursor(KEY, BINDING, NONCE, content);
const open = (cursor: string) => openCursor(KEY, BINDING, cursor);

describe("a cursor", () => {
  it.each(["", "a", CONTENT.place, "x".repeat(MAX_URI_BYTES + 20)])(
    "a cursor of any length returns its position and expiry: %#",
    (place) => {
      const content = { ...CONTENT, place };
      expect(open(seal(content))).toEqual(content);
    },
  );

  it("a cursor is URL-safe text that hides its position", () => {
    expect(seal()).toMatch(/^[\w-]+$/);
    expect(Buffer.from(seal(), "base64url").toString("latin1")).not.toContain("user");
  });

  it("a cursor can be opened only with its own key and binding", () => {
    const cursor = seal();
    expect(openCursor(keyOf("other"), BINDING, cursor)).toBeUndefined();
    for (const binding of ["", `${BINDING} `, BINDING.slice(1), '["ls",7,"bob"]', '["tree",7,"ann"]'])
      expect(openCursor(KEY, binding, cursor), binding).toBeUndefined();
  });

  it("a cursor is refused when any bit of it is changed", () => {
    const bytes = Buffer.from(seal(), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const edited = Buffer.from(bytes);
      edited[bit >> 3]! ^= 1 << (bit & 7);
      expect(open(edited.toString("base64url")), `bit ${bit}`).toBeUndefined();
    }
  });

  it("a cursor with any replaced character is refused, even if it decodes to the same bytes", () => {
    const cursor = sealCursor(KEY, BINDING, NONCE, { ...CONTENT, place: "abc" });
    expect(cursor.length % 4, "the last character has bits to spare").not.toBe(0);
    for (let at = 0; at < cursor.length; at++) {
      for (const other of "AQgw_-+/=. \n\u0141") {
        if (other === cursor[at]) continue;
        expect(open(cursor.slice(0, at) + other + cursor.slice(at + 1)), `${at} ${other}`).toBeUndefined();
      }
    }
  });

  it("a cursor is refused if it is truncated, extended, doubled or padded", () => {
    const cursor = seal();
    for (let length = 0; length < cursor.length; length++)
      expect(open(cursor.slice(0, length)), `${length}`).toBeUndefined();
    for (const more of ["A", "AAAA", "=", "==", " ", "\n", "\u0000", cursor])
      expect(open(cursor + more), more).toBeUndefined();
    for (const text of ["made-up", "null", "{}", "x".repeat(10_000_000)])
      expect(open(text), text.slice(0, 10)).toBeUndefined();
  });
});
