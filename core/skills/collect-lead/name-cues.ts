/** How people say who they are, before the name. */
export const nameCues = {
  /** What follows is a name, however it is written. */
  sure: /(?<!\p{L})(?:my (?:full )?name(?:'s| is)|name ?:|mein name (?:ist|lautet)|ich hei(?:ß|ss)e|me llamo|mi nombre(?: completo)? es|nombre ?:|je m'appelle|mon nom est|nom ?:|mi chiamo|il mio nome [eè]|(?:eu )?me chamo|chamo-me|(?:o )?meu nome [eé]|nome ?:|mijn naam is|ik heet|naam ?:)\s*/giu,
  /** What follows may be anything: only words in capitals are a name. */
  likely: /(?<!\p{L})(?:i am|i'm|this is|hier (?:ist|spricht)|aqu[ií] es|soy|je suis|sono|sou|ik ben)\s+/giu,
  /** The same where every noun has a capital: one word alone tells nothing. */
  unsure: /(?<!\p{L})ich bin\s+(?:(?:der|die)\s+)?/giu,
} as const;
