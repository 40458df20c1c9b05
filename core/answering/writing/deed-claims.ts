const QUOTED = /"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»/gu;
const FIRST_PERSON = /(?<!\p{L})(?:i|ich|he|yo|j['’]\p{L}*)(?!\p{L})/iu;
const CLAIM = new RegExp(
  [
    "i(?:['’]ve|\\s+have|\\s+just|\\s+already|\\s+now)*\\s+(?:ran|run|executed|called|triggered|deleted|removed|cancel+ed|refunded|changed|updated|sent|booked|ordered|created|transferred|forwarded|escalated|activated|deactivated|unlocked|reset|granted|issued|processed|submitted|approved|paid)",
    '(?:ich\\s+habe|habe\\s+ich)\\s[^.!?;]{0,300}(?:ausgeführt|ausgelöst|aufgerufen|gelöscht|entfernt|storniert|erstattet|geändert|aktualisiert|gesendet|geschickt|gebucht|bestellt|angelegt|erstellt|überwiesen|weitergeleitet|aktiviert|freigeschaltet|zurückgesetzt|bestätigt|genehmigt|veranlasst)',
    'he\\s+(?:ya\\s+)?(?:ejecutado|borrado|eliminado|cancelado|anulado|reembolsado|cambiado|actualizado|enviado|reservado|creado|transferido|activado|desactivado|restablecido|confirmado|procesado|aprobado)',
    'yo\\s+(?:ejecuté|borré|eliminé|cancelé|reembolsé|cambié|envié|creé|activé)',
    "j['’]ai\\s+(?:déjà\\s+|bien\\s+)?(?:exécuté|lancé|supprimé|effacé|annulé|remboursé|modifié|changé|envoyé|réservé|créé|transféré|activé|désactivé|réinitialisé|confirmé|traité|approuvé)e?s?",
  ]
    .map((form) => `(?<!\\p{L})${form}(?!\\p{L})`)
    .join('|'),
  'iu',
);

/**
 * Recognises sentences in which a model says that it did something ("I cancelled your order"). No document can know
 * that, whatever words it lends; where a skill runs, it says so itself. A cheap test, by the usual words for deeds.
 */
export const deedClaims = {
  isIn: (sentence: string): boolean => CLAIM.test(sentence.replace(QUOTED, ' ')),
  /** Whether the beginning of a sentence may be that of one that does. */
  mayBeIn: (begun: string): boolean => FIRST_PERSON.test(begun),
};
