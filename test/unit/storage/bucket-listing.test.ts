import { describe, expect, it } from "vitest";
import { parseListing } from "../../../src/storage/s3/bucket-listing.ts";

const listing = (content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</ListBucketResult>`;

describe("a list of the objects of a bucket", () => {
  it("a bucket listing returns the objects, the prefixes and the token of the next page", () => {
    const xml = listing(`<Name>contents</Name><Prefix>p/</Prefix><IsTruncated>true</IsTruncated>
      <Contents><Key>p/1/a&amp;b-5</Key><LastModified>2026-11-26T05:00:00.000Z</LastModified><Size>42</Size>
        <Owner><ID>x</ID></Owner></Contents>
      <CommonPrefixes><Prefix>p/2/</Prefix></CommonPrefixes>
      <NextContinuationToken> next </NextContinuationToken>`);
    expect(parseListing(xml)).toEqual({
      objects: [{ key: "p/1/a&b-5", bytes: 42, writtenAt: Date.UTC(2026, 10, 26, 5) }],
      prefixes: ["p/2/"],
      next: "next",
    });
    expect(parseListing(listing(""))).toEqual({ objects: [], prefixes: [], next: undefined });
  });

  it.each([
    ["no XML at all", "not <xml"],
    ["an error in place of a list", "<Error><Code>AccessDenied</Code></Error>"],
    ["an object without a size", listing("<Contents><Key>a</Key></Contents>")],
    ["an entity that is not defined", listing("<Contents><Key>&x;</Key></Contents>")],
  ])("a response that is not a bucket listing is an error: %s", (_, xml) => {
    expect(() => parseListing(xml)).toThrow("the object store");
  });
});
