import type { LanguageTexts } from '../../language-texts.ts';

export const texts: Partial<LanguageTexts> = {
  fallback:
    'Elimdeki belgelerde buna bir yanıt bulamadım. Lütfen başka sözcüklerle deneyin ya da bir kişiyle görüşmek istediğinizi söyleyin.',
  unsure: 'Emin değilim; aradığınız bu olabilir:',
  disclosure: {
    machine: 'Yardım sayfalarımızdan bir makine yanıt verir.',
    person: 'İstediğiniz zaman bir insanla görüşmek isteyebilirsiniz.',
  },
  missingPart: 'Elimdeki belgelerde buna bir yanıt bulamadım.',
  signIn: 'Bunun için kim olduğunuzu kesin olarak bilmem gerekiyor. Lütfen oturum açıp yeniden sorun.',
  skillFailure:
    'Bunu şu anda yapamadım. Lütfen birazdan yeniden deneyin ya da bir kişiyle görüşmek istediğinizi söyleyin.',
  channel: {
    greeting:
      'Merhaba! Bana istediğinizi sorun, yanıtını arayayım. Dilerseniz bir kişiyle görüşmek istediğinizi söyleyin.',
    help: 'Sorunuzu kendi sözlerinizle yazın. Belgelerimizden yanıt verir ve yanıtın nereden geldiğini söylerim. Dilerseniz bir kişiyle görüşmek istediğinizi söyleyin.',
    unreadable: 'Resimleri, kayıtları ve dosyaları henüz okuyamıyorum. Lütfen sorunuzu metin olarak yazın.',
    filesUnread: 'Eklediklerinizi görmedim: resimleri, kayıtları ve dosyaları henüz okuyamıyorum.',
    mayHelp: 'Bu yardımcı olabilir',
    trouble:
      'Şu anda yanıt veremedim. Lütfen birazdan yeniden deneyin ya da bir kişiyle görüşmek istediğinizi söyleyin.',
    unavailable: 'Şu anda soruları yanıtlayamıyorum. Lütfen bir kişiyle görüşmek istediğinizi söyleyin.',
    askRating: 'Sizce nasıldık? 1 (kötü) ile 5 (çok iyi) arasında bir sayıyla yanıtlayın.',
    rated: 'Değerlendirmeniz için teşekkürler.',
  },
  handover: {
    passedOn: 'Bu görüşmeyi ekibimize ilettim.',
    alreadyKnown: 'Ekibimiz bu görüşmeden zaten haberdar.',
    shortly: 'Birazdan burada sizinle ilgilenecekler.',
    someTime: 'Bir çalışanımız size buradan yanıt verecek.',
    backOn: ({ day, time, zone }) =>
      `Ekibimiz yeniden burada: ${day}, saat ${time} (${zone}). Size buradan yanıt verecek.`,
  },
  lead: {
    askForAll:
      'Ekibimizin sizinle iletişime geçebilmesi için lütfen adınızı ve bir e-posta adresi ya da telefon numarası yazın.',
    askForContact: (name) =>
      `Teşekkürler, ${name}. Ekibimizin sizinle iletişime geçebilmesi için lütfen bir e-posta adresi ya da telefon numarası yazın.`,
    noted: (details) =>
      `Teşekkürler. Ekibimizin sizinle iletişime geçebilmesi için şunu not ettim: ${details}. Biri sizinle iletişime geçecek.`,
    requestNoted:
      'Teşekkürler. İsteğinizi not ettim. Ekibimiz, bizde bulunan iletişim bilgilerinizden size ulaşacak.',
    askForName: 'Ekibimizin kimi soracağını bilmesi için adınız nedir?',
    nameNoted: (name) =>
      `Teşekkürler, ${name}. Ekibimizin sizinle iletişime geçebilmesi için adınızı not ettim.`,
    declined: 'Peki. Hiçbir iletişim bilgisi not etmedim.',
    nameDeclined: 'Peki, o hâlde adsız. Ekibimiz sizinle iletişime geçecek.',
    gaveUp:
      'Bir e-posta adresi ya da telefon numarası olmadan ekibimiz size ulaşamaz. Bunu benden istediğiniz zaman yeniden isteyebilirsiniz.',
  },
};
