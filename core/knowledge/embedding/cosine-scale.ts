import type { CosineScale } from './embedder.ts';
import type { EmbedTexts } from './providers/embedding-api.ts';

/** The built-in model's own scale. A test measures it. */
export const BUILT_IN_SCALE: CosineScale = { unrelated: 0.022, related: 0.651 };

/** A scale with less between its ends than this tells nothing apart. */
const MIN_SPAN = 0.02;

/**
 * Measures the scale of a model with two calls; its vectors have unit length. Thresholds are made for the built-in model, and models differ: one has
 * cosines from 0 to .8, another from .7 to .9. The texts are the same for every model, so the scale does not depend on
 * what a workspace's documents are about.
 */
export async function measureScale(embed: EmbedTexts): Promise<CosineScale> {
  const passages = await embed(
    PAIRS.map(([, passage]) => passage),
    'passage',
  );
  const questions = await embed(
    PAIRS.map(([question]) => question),
    'query',
  );
  let [unrelated, related] = [0, 0];
  for (const [row, question] of questions.entries()) {
    for (const [column, passage] of passages.entries()) {
      const cosine = innerProduct(question, passage);
      if (row === column) related += cosine / PAIRS.length;
      else unrelated += cosine / (PAIRS.length * (PAIRS.length - 1));
    }
  }
  return { unrelated, related };
}

/** A linear map of cosines: `offset + slope * cosine`. */
export interface CosineMap {
  readonly offset: number;
  readonly slope: number;
}

/** Returns the map from a model's cosines to what they are for the built-in model. */
export function mapToBuiltIn({ unrelated, related }: CosineScale): CosineMap {
  const span = Math.max(MIN_SPAN, related - unrelated);
  const slope = (BUILT_IN_SCALE.related - BUILT_IN_SCALE.unrelated) / span;
  return { slope, offset: BUILT_IN_SCALE.unrelated - slope * unrelated };
}

function innerProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (const [index, value] of one.entries()) sum += value * (other[index] ?? 0);
  return sum;
}

/** Questions with the passage that answers each, about matters that have nothing to do with each other. */
const PAIRS: readonly (readonly [question: string, passage: string])[] = [
  [
    'How long can I return an item?',
    'Returns\n\nYou can send back anything you bought from us within 30 days of delivery, unused and in its box. We refund the price to the card you paid with.',
  ],
  [
    'Why is the sky blue?',
    'Scattering of light\n\nMolecules of air scatter short waves far more than long ones. Blue light therefore reaches the eye from every part of the sky, while red light passes through.',
  ],
  [
    'Who invented the printing press with movable type in Europe?',
    'Early printing\n\nJohannes Gutenberg, a goldsmith of Mainz, built a press with movable metal type around 1450. His Bible appeared a few years later.',
  ],
  [
    'How do I reset my password?',
    'Account access\n\nChoose "Forgot password" on the sign-in page and enter your address. We send a link with which you set a new password; it works for one hour.',
  ],
  [
    'What do bees make honey from?',
    'Beekeeping\n\nWorkers collect nectar from flowers and carry it to the hive, where it is thickened and stored in the comb as honey for the winter.',
  ],
  [
    'How often should engine oil be changed?',
    'Maintenance of the car\n\nChange the oil and its filter every 15,000 kilometres or once a year, whichever comes first. Check the level at each second refuelling.',
  ],
  [
    'When does the museum open on Sundays?',
    'Visiting the museum\n\nFrom Tuesday to Saturday the galleries are open from 10 to 18, on Sundays from 11 to 17. On Mondays they are closed.',
  ],
  [
    'Which vitamin does sunlight give the body?',
    'Nutrition\n\nThe skin forms vitamin D when sunlight falls on it. In winter, in northern countries, many people take it as a supplement.',
  ],
  [
    'How do I boil an egg so that the yolk stays soft?',
    'Breakfast\n\nPut the egg into boiling water for six minutes, then hold it under cold water. The white is firm and the yolk still runs.',
  ],
  [
    'What was the cause of the 1906 San Francisco disaster?',
    'History of the city\n\nOn 18 April 1906 a violent earthquake struck San Francisco. Fires broke out after it and burned for days, since the water mains were broken.',
  ],
  [
    'How can I connect my headphones over Bluetooth?',
    'Pairing\n\nHold the power button of the headphones for five seconds until the light blinks. Then choose them in the Bluetooth settings of your phone.',
  ],
  [
    'What is the tallest mountain in Africa?',
    'Geography of Tanzania\n\nKilimanjaro, a dormant volcano in the north of the country, rises to 5,895 metres and is the highest mountain of the continent.',
  ],
  [
    'Does my employer pay for parental leave?',
    'Benefits for employees\n\nParents of a new child have sixteen weeks of leave at full pay. They may take it at any time in the first year after the birth.',
  ],
  [
    'What is the offside rule in football?',
    'Laws of the game\n\nA player is offside if, when the ball is played to them, they are nearer to the goal line than both the ball and the second-last opponent.',
  ],
  [
    'How do I export my invoices as a file?',
    'Billing\n\nOpen Settings and then Invoices, select the period and press Export. You receive a CSV file with one line for each invoice.',
  ],
  [
    'Why do leaves turn red in autumn?',
    'Trees through the year\n\nAs days grow shorter, trees stop making chlorophyll. The green fades, and yellow and red pigments in the leaves become visible.',
  ],
  [
    'Which database ports must the firewall allow?',
    'Network requirements\n\nThe application connects to PostgreSQL on TCP port 5432 and to Redis on port 6379. Allow both from the subnet of the servers.',
  ],
  [
    'Who wrote Pride and Prejudice?',
    'English novels\n\nJane Austen published Pride and Prejudice in 1813, without her name on the title page. It follows Elizabeth Bennet and Mr Darcy.',
  ],
  [
    'Can I bring my dog on the train?',
    'Travelling with animals\n\nSmall pets travel free in a carrier. Dogs outside a carrier need a half-fare ticket, a leash and a muzzle.',
  ],
  [
    'How is steel protected against rust?',
    'Metalworking\n\nA thin coat of zinc keeps water and oxygen from the steel below. It is applied by dipping the parts into molten zinc.',
  ],
  [
    'What should I do if the smoke alarm beeps every minute?',
    'Fire safety at home\n\nA short beep once a minute means that the battery of the smoke detector is nearly empty. Replace it and press the test button.',
  ],
  [
    'How long does it take the moon to orbit the earth?',
    'The solar system\n\nThe moon goes round our planet once in a little over 27 days, always with the same side towards us.',
  ],
  [
    'How much notice do I need to give to end my lease?',
    'Tenancy\n\nA tenant may terminate the rental contract with three months of notice in writing, to the end of any month.',
  ],
  [
    'How do vaccines protect people?',
    'Immunity\n\nA vaccine shows the immune system a harmless part of a germ. Antibodies and memory cells form, which act fast at a real infection.',
  ],
];
