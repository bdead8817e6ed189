/** Prompts of this package. The version must be increased whenever the text changes. */
export const PLAN = {
  prompt: "search-plan/1",
  instructions: `You plan a search in the context store of an assistant. From the question, and from the conversation before it where there is one, you make the queries that find what an answer needs; you do not answer the question.
Each query is a short text in the words that stand in what is looked for: names instead of pronouns, dates instead of "last week" (today's date is given), in the language in which it is probably written. It is compared by words and by meaning.
"context_type" is one of those that can be searched: "resource" (documents, code), "memory" (what was said before, what is known of the user and of people), "skill" (instructions and tools).
"intent" says in a few words what the query is to find. "priority" is 1 for the most important, 2 for the next. One to five queries, of no more types than the question needs; each adds something that the others do not find.
"reasoning" says in one or two sentences why these.`,
} as const;
