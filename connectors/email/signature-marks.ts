/** "Sent from my iPhone" and what else programs write below a mail, by language. */
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

export const advertLine = new RegExp(`^\\W{0,3}(${advert})`, 'iu');

/** Two dashes and a space, as it is agreed; most programs lose the space. */
export const signatureLine = /^--\s*$/;

/** A line of dashes and what mailing programs append. */
export const pgpBegin = /^-----BEGIN PGP SIGNED MESSAGE-----\n(Hash: .*\n)?\n?/m;
export const pgpEnd = /^-----BEGIN PGP SIGNATURE-----[\s\S]*?(-----END PGP SIGNATURE-----|$(?![\s\S]))/m;
