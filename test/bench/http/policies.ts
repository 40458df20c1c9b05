const topics = 'refunds shipping billing accounts security pricing exports webhooks limits teams'.split(' ');
const articles = 200;

interface Article {
  readonly title: string;
  readonly text: string;
}

/** The text that the fake model always returns, so that a document supports its answers. */
const answered: Article = {
  title: 'Refunds',
  text: 'Refunds are accepted within thirty days of purchase when the receipt is shown, says the knowledge base.',
};

/** The two hundred articles that the hand-made servers answer from too, and the one with the answer. */
export const policies: readonly Article[] = [
  ...Array.from({ length: articles }, (_, index) => {
    const topic = topics[index % topics.length];
    const sentence = `The policy on ${topic} number ${index} says that requests are handled within ${1 + (index % 30)} days and recorded under code K${index}. `;
    return { title: `Article ${index}`, text: `Article ${index} about ${topic}. ${sentence.repeat(3)}` };
  }),
  answered,
];

/** The question; the number keeps answers from being remembered. */
export const policyQuestion = 'Within how many days of purchase are refunds accepted? ({{i}})';
