import type { SmallPassage } from './small-index.ts';

/** The help pages of a shop that does not exist. */
export const GARDEN_SHOP: readonly SmallPassage[] = [
  {
    id: 'delivery',
    title: 'Delivery',
    body: 'Parcels leave our warehouse on the next working day. Standard delivery takes three to five working days. Express delivery arrives on the following day and costs 9 euros more.',
  },
  {
    id: 'returns',
    title: 'Returns',
    headings: ['Sending something back'],
    body: 'You may return unused tools within 30 days. To return a tool you need:\n- the order number\n- the original box\n- the printed label\nThe money is back in your account within a week.',
  },
  {
    id: 'sharpening',
    title: 'Workshop',
    headings: ['Sharpening'],
    body: 'We sharpen shears and saws by hand. It takes two days in summer and one day in winter. Sharpening a pair of shears costs 14 euros.',
  },
  {
    id: 'warranty',
    title: 'Warranty',
    body: 'Every spade is guaranteed for ten years. The guarantee covers the blade and the handle, but not ordinary wear. Broken handles are replaced free of charge.',
  },
  {
    id: 'seeds',
    title: 'Seeds',
    body: 'Tomato seeds should be sown indoors in March. Keep the trays moist and out of the frost. Seedlings move outdoors after the middle of May.',
  },
  {
    id: 'contact',
    title: 'Contact',
    body: 'The office answers calls from Monday to Friday between 8 and 17 o’clock. Margaret Thistlewood leads the customer service. Letters reach us in Oakmere.',
  },
];
