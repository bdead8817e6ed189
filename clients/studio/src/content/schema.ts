import { defaultSchema, type Options } from "rehype-sanitize";

/** Elements that load something by an attribute beside `src`. */
const LOADING = new Set(["picture", "source"]);

/**
 * What Markdown may become: what GitHub allows, without elements that load pictures by other attributes. Addresses lead to web pages,
 * mail and nodes; pictures are looked at by the page, which loads those of the workspace alone.
 */
export const SCHEMA: Options = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((name) => !LOADING.has(name)),
  attributes: { ...defaultSchema.attributes, img: ["src", "alt", "title", "width", "height"] },
  protocols: { href: ["http", "https", "mailto", "ctx"], src: ["http", "https", "ctx"] },
};
