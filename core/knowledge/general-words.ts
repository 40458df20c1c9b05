/**
 * English words of the asking rather than of the matter. Where no passage holds one, that says nothing against the
 * passages; where one does, it counts as any other word.
 */
export const GENERAL_WORDS: ReadonlySet<string> = new Set(
  `able actually advice allow allowed answer anybody anyone anything ask assist assistance available best cause
  clarify come consist correct describe detail details difference different difficult easily easy elaborate
  exactly example exist explain explanation far fast find get getting give go going good got happen
  happening happens hard have hello help hey hope information involve involved kind kinds know learn let
  like little long look looking lot make making many matter mean means meant much need needed needs often ok
  okay old one option options people person please possible provide question quickly quite receive regarding
  right say see show somebody someone something soon sort start sure take taken takes taking tell thank
  thanks thing things think time trouble try trying type types understand use used useful using want wants
  way ways well wish wonder wondering work works`.split(/\s+/u),
);
