import { defaultSchema, type Options } from "rehype-sanitize";

/** Elements that load a resource through an attribute other than `src`. */
const LOADING = new Set(["picture", "source"]);

/**
 * The HTML allowed in rendered Markdown: GitHub's schema without elements that load images through other
 * attributes. Links lead to web pages, mail and nodes; the page itself loads images, only those of the
 * workspace.
 */
export const SCHEMA: Options = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((name) => !LOADING.has(name)),
  attributes: { ...defaultSchema.attributes, img: ["src", "alt", "title", "width", "height"] },
  protocols: { href: ["http", "https", "mailto", "ctx"], src: ["http", "https", "ctx"] },
};
