/** What stands before a mail that is answered, by mail program and language. */

/** "On Monday Anna wrote:", in one line of it. The letters tell the languages apart only for who reads this. */
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
/** A day or an hour, or the address of who wrote. */
const hasDate = /\d{1,4}[./年-]\s?\d{1,2}|\d{1,2}[:.h]\d{2}|\b(19|20)\d{2}\b/;
const hasAddress = /[^\s<>()[\]]@[^\s<>()[\]]/;
/** "2024年5月3日(金) 10:00 Anna <anna@a.example>:", where no word tells that somebody wrote. */
const bareAttribution = /^\D{0,3}\d{2,4}[年./-].{4,120}<[^<>\s]+@[^<>\s]+>\s*[:：]$/u;

const LONGEST = 400;
/** Where most languages begin such a line. */
const opening = /^(on|am|le|el|il|op|em|a|w dniu|dnia|den|på|la|dne|vào|pada|στις|у|в)\s/iu;

/** Whether lines that a mail program has broken, or a single one, name a mail and who wrote it, from the first of them on. */
export function isAttribution(lines: readonly string[]): boolean {
  const [first = '', ...others] = lines;
  if (!says(lines)) return false;
  if (others.length === 0 || opening.test(first)) return true;
  if (!hasDate.test(first) && !hasAddress.test(first)) return false;
  return !others.some((line, index) => opening.test(line) && says(others.slice(index)));
}

function says(lines: readonly string[]): boolean {
  const line = lines.join(' ');
  if (line.length > LONGEST) return false;
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
export const separator = new RegExp(`^[-_=*\\s]{2,}(${original})[-_=*\\s]{2,}$`, 'iu');

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

/** What is passed on is what its sender wants to be read. */
export const forwardMark = new RegExp(`^[-_=*>\\s]*(${forwarded})[-_=*:：\\s]*$`, 'iu');

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

/** Whether a block of lines begins here that Outlook and its like put above what they answer. */
export function beginsHeaders(lines: readonly string[]): boolean {
  if (!fromLine.test(lines[0] ?? '')) return false;
  return lines.slice(1, 7).filter((line) => otherLine.test(line)).length >= 2;
}

/** A rule above such a block. */
export const rule = /^\s*([_\-–—=*]{5,})\s*$/u;
