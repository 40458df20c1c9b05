interface MailKind {
  /** Whether the mail is a reply: its quotation was said before. */
  readonly isReply: boolean;
  /** Whether the mail is a forward: its quotation is its content. */
  readonly isForward: boolean;
}

/** Maximum number of lines that a mail program breaks an attribution into. */
const MAX_ATTRIBUTION_LINES = 4;
/** Maximum length of a separator line. */
const MAX_SEPARATOR_CHARS = 400;
/** Number of lines in which the labels of an Outlook header block follow one another, including blank lines. */
const HEAD_LINES = 14;
/** Maximum number of lines after the advertisement of a mail program. */
const MAX_LINES_AFTER_ADVERT = 4;

/**
 * Returns what the sender wrote, without quotations and marked signatures. Answers between the lines of a quotation stay.
 * A mail of which nothing would be left is returned whole. Pure.
 */
export function stripQuotes(text: string, { isReply, isForward }: MailKind): string {
  const plain = text.replaceAll(/\r\n?/g, '\n').replace(pgpBegin, '').replace(pgpEnd, '');
  const lines = plain.split('\n').map((line) => line.trimEnd());
  const own = isReply && !isForward ? withoutQuotes(lines) : lines;
  const withoutSignatures = trimBlankLines(withoutSignature(own));
  if (withoutSignatures !== '') return withoutSignatures;
  return trimBlankLines(withoutSignature(lines.filter((line) => !isQuoted(line)))) || trimBlankLines(lines);
}

/** If the quoted lines are marked, unmarked lines below are answers; otherwise everything below is quoted. */
function withoutQuotes(lines: readonly string[]): readonly string[] {
  const own: string[] = [];
  let begin = 0;
  for (let at = 0; at < lines.length; at += 1) {
    if (isMark(forwardMark, lines[at] ?? '')) break;
    const end = findQuoteStart(lines, at);
    if (end === null) continue;
    own.push(...withoutQuoted(withoutRule(lines.slice(begin, at))));
    let first = end;
    while (lines[first]?.trim() === '') first += 1;
    if (!isQuoted(lines[first] ?? '')) return own;
    own.push('');
    begin = end;
    at = end - 1;
  }
  return [...own, ...withoutQuoted(lines.slice(begin))];
}

/** Returns the index after the introduction of a quotation that begins here; null if none begins. */
function findQuoteStart(lines: readonly string[], at: number): number | null {
  const line = (lines[at] ?? '').trim();
  if (line === '') return null;
  if (isMark(separator, line)) return at + 1;
  const near = lines.slice(at, at + HEAD_LINES).map((one) => one.trim());
  if (beginsHeaders(near.filter((one) => one !== ''))) return lines.length;
  for (let count = 1; count <= MAX_ATTRIBUTION_LINES; count += 1) {
    const last = near[count - 1] ?? '';
    if (last === '' || isQuoted(last)) return null;
    if (isAttribution(near.slice(0, count))) return at + count;
    if (/[.?!]$/.test(last)) return null;
  }
  return null;
}

function isMark(mark: RegExp, line: string): boolean {
  return line.length <= MAX_SEPARATOR_CHARS && mark.test(line);
}

function withoutQuoted(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (isQuoted(line) ? '' : line));
}

function isQuoted(line: string): boolean {
  return /^\s?[>＞]/u.test(line);
}

/** Outlook puts a rule above the header block of the quoted mail. */
function withoutRule(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return last >= 0 && RULE_LINE.test(lines[last] ?? '') ? lines.slice(0, last) : lines;
}

function withoutSignature(lines: readonly string[]): readonly string[] {
  const marked = lines.findIndex((line, index) => signatureLine.test(line) && hasText(lines.slice(0, index)));
  const above = marked < 0 ? lines : lines.slice(0, marked);
  const advert = above.findLastIndex((line) => APP_SIGNATURE_LINE.test(line.trim()));
  if (advert < 0) return above;
  const below = above.slice(advert + 1);
  const isEnd = below.filter((line) => line.trim() !== '').length <= MAX_LINES_AFTER_ADVERT;
  const isShort = below.every((line) => line.length < 80);
  const remaining = isEnd && isShort ? [] : below;
  return [...withoutRule(above.slice(0, advert)), ...remaining];
}

function hasText(lines: readonly string[]): boolean {
  return lines.some((line) => line.trim() !== '');
}

function trimBlankLines(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** The verb of "On Monday Anna wrote:" in many languages. */
const wrote = [
  'wrote|writes|sent the following|has written', // en
  'schrieb|geschrieben|schreibt', // de
  'a [ée]crit|écrivait', // fr
  'escribi[óo]|ha escrito', // es
  'ha scritto', // it
  'schreef|geschreven', // nl
  'escreveu', // pt
  'napisa[łl](\\(a\\)|a|/a)?|pisze', // pl
  'skrev|har skrivit', // sv, da, no
  'kirjoitti', // fi
  'napsal(\\(a\\)|a)?', // cs
  'a scris', // ro
  '[íi]rta', // hu
  'написал\\(?а?\\)?|пишет|писал\\(?а?\\)?|пише', // ru, uk
  'έγραψε', // el
  '(şunu |şunları )?yazd[ıi]', // tr
  '写道|寫道', // zh
  'のメール|書きました|書いた', // ja
  '님이 작성', // ko
  'כתב(ה)?|كتب', // he, ar
].join('|');

const wroteLine = new RegExp(`(^|[^\\p{L}])(${wrote})([^\\p{L}].{0,120})?[:：]$`, 'iu');
/** A date, a time of day or the address of the author. */
const hasDate = /\d{1,4}[./年-]\s?\d{1,2}|\d{1,2}[:.h]\d{2}|\b(19|20)\d{2}\b/;
const hasAddress = /[^\s<>()[\]]@[^\s<>()[\]]/;
/** "2024年5月3日(金) 10:00 Anna <anna@a.example>:", an attribution without a verb. */
const bareAttribution = /^\D{0,3}\d{2,4}[年./-].{4,120}<[^<>\s]+@[^<>\s]+>\s*[:：]$/u;

const MAX_ATTRIBUTION_CHARS = 400;
/** The first words of such a line in most languages. */
const opening = /^(on|am|le|el|il|op|em|a|w dniu|dnia|den|på|la|dne|vào|pada|στις|у|в)\s/iu;

/** Whether these lines, from the first on, are one attribution: a date or address and a verb. */
export function isAttribution(lines: readonly string[]): boolean {
  const [first = '', ...others] = lines;
  if (!isAttributionText(lines)) return false;
  if (others.length === 0 || opening.test(first)) return true;
  if (!hasDate.test(first) && !hasAddress.test(first)) return false;
  return !others.some((line, index) => opening.test(line) && isAttributionText(others.slice(index)));
}

function isAttributionText(lines: readonly string[]): boolean {
  const line = lines.join(' ');
  if (line.length > MAX_ATTRIBUTION_CHARS) return false;
  if (bareAttribution.test(line)) return true;
  return wroteLine.test(line) && (hasDate.test(line) || hasAddress.test(line));
}

const original = [
  'original (message|appointment)',
  'urspr[üu]ngliche (nachricht|mitteilung|e-mail)',
  'original-?nachricht',
  "message d['’]origine|message original|courriel original",
  'mensaje original',
  'messaggio originale',
  'oorspronkelijk(e)? bericht|origineel bericht',
  'mensagem original',
  '(wiadomość oryginalna|oryginalna wiadomość)',
  'ursprungligt meddelande|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti',
  'původní (zpráva|e-mail)|pôvodná správa|eredeti üzenet|mesaj original',
  '(исходное|пересылаемое|первоначальное) сообщение',
  'orijinal (mesaj|ileti)|αρχικό μήνυμα',
  '原始邮件|原始郵件|元のメッセージ|원본 메시지',
].join('|');

/** `-----Original Message-----` */
const separator = new RegExp(`^[-_=*\\s]{2,}(${original})[-_=*\\s]{2,}$`, 'iu');

const forwarded = [
  'forwarded message|begin forwarded message|fwd message',
  'weitergeleitete nachricht|anfang der weitergeleiteten (nachricht|e-mail)',
  'message transf[ée]r[ée]|début du message (réexpédié|transféré)|message réexpédié',
  'mensaje reenviado|inicio del mensaje reenviado',
  'messaggio inoltrato|inizio messaggio inoltrato',
  'doorgestuurd bericht|begin doorgestuurd bericht',
  'mensagem (encaminhada|reencaminhada)|início da mensagem (encaminhada|reencaminhada)',
  '(przekazana wiadomość|wiadomość przekazana|początek przekazywanej wiadomości)',
  'vidarebefordrat meddelande|videresendt (besked|melding)|välitetty viesti',
  'пересылаемое сообщение|пересланное сообщение|转发的邮件|轉寄的郵件|転送メッセージ',
].join('|');

/** Forwarded content stays, because the sender wants it to be read. */
const forwardMark = new RegExp(`^[-_=*>\\s]*(${forwarded})[-_=*:：\\s]*$`, 'iu');

const from =
  'from|von|de|da|van|od|fra|från|lähettäjä|от|від|от кого|gönderen|kimden|feladó|de la|expéditeur|remitente|mittente|afzender|remetente|nadawca|发件人|寄件者|差出人|보낸 사람|από';
const others = [
  'sent|date|to|cc|subject|reply-to',
  'gesendet|datum|an|betreff|antwort an',
  'envoy[ée]|à|objet|répondre à|copie',
  'enviado( el)?|fecha|para|asunto',
  'inviato|data|a|oggetto',
  'verzonden|aan|onderwerp',
  'enviad[ao]( em)?|assunto',
  'wysłano|do|temat|dw',
  'skickat|till|ämne|sendt|til|emne|lähetetty|vastaanottaja|aihe|kopia|kopi',
  'odesláno|komu|předmět|trimis|către|subiect|elküldve|címzett|tárgy',
  'отправлено|дата|кому|тема|копия|gönderildi|kime|konu|tarih',
  '发送时间|收件人|主题|抄送|寄件日期|收件者|主旨|送信日時|日時|宛先|件名|보낸 날짜|받는 사람|제목',
].join('|');

const fromLine = new RegExp(`^[*_\\s]*(${from})\\s*[:：][*_\\s]*\\S`, 'iu');
const otherLine = new RegExp(`^[*_\\s]*(${others})\\s*[:：]`, 'iu');

/** Whether a header block as Outlook writes it begins here. */
function beginsHeaders(lines: readonly string[]): boolean {
  if (!fromLine.test(lines[0] ?? '')) return false;
  return lines.slice(1, 7).filter((line) => otherLine.test(line)).length >= 2;
}

/** A rule above a header block. */
const RULE_LINE = /^\s*([_\-–—=*]{5,})\s*$/u;

/** Advertisements such as "Sent from my iPhone", by language. */
const advert = [
  'sent (from|via|with|using) (my |the |a )?(iphone|ipad|ipod|mobile|phone|android|samsung|galaxy|huawei|xiaomi|blackberry|windows|outlook|mail|yahoo|gmail|proton|mailbird|airmail|spark|aol|tutanota|superhuman|fairphone|pixel)',
  'get (outlook|the all new|yahoo mail|bluemail)',
  '(von|vom) (meine[mr]|mein) .{2,40} (gesendet|geschickt)',
  '(gesendet|versendet|geschickt|verschickt) (von|vom|mit|mittels|über) (meine[mr] |der |dem |outlook|yahoo|mail|iphone|ipad|proton|telekom|gmx|web\\.de|freenet|android|samsung|tuta)',
  'diese nachricht wurde (von|mit) .{2,60} gesendet',
  'outlook für (ios|android|mac) (herunterladen|beziehen)|holen sie sich outlook',
  "envoy[ée] (de|depuis|à partir de|avec|par) (mon |ma |l[’']|un |outlook|yahoo|courrier|proton|orange|la messagerie)",
  'téléchargez outlook|obtenir outlook|obtenez outlook|provenance : courrier',
  'enviado (desde|con|por|do|a partir do|com|pelo|via) (mi |mis |el |la |o |a |meu |minha |iphone|ipad|outlook|yahoo|correo|mail|proton|android|samsung)',
  'obtener outlook|descarga(r)? outlook|obter o outlook|obtenha o outlook|baixe o outlook',
  'inviat[oa] (da|dal|dalla|con|tramite) (mio |mia |il |la |iphone|ipad|outlook|yahoo|posta|proton|android|samsung|libero)',
  'scarica outlook|ottieni outlook',
  '(verstuurd|verzonden) (vanaf|vanuit|met|via|van) (mijn |de |het |outlook|yahoo|mail|proton|iphone|ipad|android|samsung)',
  'outlook voor (ios|android) (downloaden|ophalen)|download outlook',
  'wysłan[eo] z|pobierz (aplikację )?outlook',
  'skickat från|hämta outlook|sendt fra|hent outlook|lähetetty .{2,40}(sta|stä|lta|ltä)$|hanki outlook',
  'odesláno z|stáhnout outlook|trimis de pe|küldve (az|a) ',
  'отправлено (с|из|от)|надіслано з|gönderildi$|.{2,30}(iphone|android).{0,8} gönderildi',
  'iphoneから送信|ipadから送信|androidから送信|发自我的|從我的|나의 iphone에서 보냄|自我的',
].join('|');

const APP_SIGNATURE_LINE = new RegExp(`^\\W{0,3}(${advert})`, 'iu');

/** Two hyphens and a space (RFC 3676). Most programs drop the space. */
const signatureLine = /^--\s*$/;

/** The armour of a PGP-signed mail. */
const pgpBegin = /^-----BEGIN PGP SIGNED MESSAGE-----\n(Hash: .*\n)?\n?/m;
const pgpEnd = /^-----BEGIN PGP SIGNATURE-----[\s\S]*?(-----END PGP SIGNATURE-----|$(?![\s\S]))/m;
