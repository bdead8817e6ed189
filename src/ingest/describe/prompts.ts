import { z } from "zod";

/** The version in a prompt's name must be increased whenever its text changes. */
const SEEN = z.object({ description: z.string(), text: z.string() });

const FORM = `"description" is plain text of at most 1200 characters for somebody who searches by words: the subject first, then people, things, places, figures, colours and what happens, with the names that can be read. Of a diagram, chart or table it gives what it says: parts, how they are connected, values. No "the image shows", no opinions, nothing that is not to be seen.
"text" is what is written there, word for word in its own language, "" where nothing is.`;

export const PICTURE = {
  prompt: "picture/1",
  instructions: `You describe a picture of a knowledge base.\n${FORM}`,
  answer: SEEN,
} as const;

export const FILM = {
  prompt: "film/1",
  instructions: `You describe a film of a knowledge base by a few of its pictures, in their order, and by what is said in it where that stands beside them.\n${FORM}\nTell what happens from the first picture to the last as one story.`,
  answer: SEEN,
} as const;
