import type { SmallTalkData } from '../../small-talk.ts';

export const smallTalk: SmallTalkData = {
  phrases: {
    greeting:
      'merhaba|merhabalar|selam|selamlar|selamün aleyküm|sa|slm|mrb|günaydın|iyi {günler,akşamlar,sabahlar,çalışmalar}|tünaydın|{orada,} kimse var mı|orada mısın|orada mısınız|memnun oldum|deneme|alo|hoş bulduk',
    wellBeing:
      'nasılsın|nasılsınız|naber|ne haber|nasıl gidiyor|ne var ne yok|iyi misin|iyi misiniz|keyifler nasıl',
    thanks:
      'teşekkürler|teşekkür ederim|{çok,} {teşekkür ederim,teşekkürler,teşekkür,sağ ol,sağ olun,sağol,sağolun}|tşk|tşkler|eyvallah|minnettarım|{çok,} {yardımcı oldu,yardımcı oldun,yardımcı oldunuz,faydalı oldu,işime yaradı}|başka sorum yok|elinize sağlık',
    praise:
      '{bu,çok,} {harika,mükemmel,süper,güzel,çok güzel,muhteşem,şahane,iyi,çok iyi,müthiş}|{iyi,güzel} {cevap,iş}|aferin|{harikasın,süpersin,çok iyisin,en iyisisin,harikasınız}|{işe yaradı,çalıştı,çalışıyor,oldu}|sevindim',
    goodbye:
      'güle güle|hoşça kal|hoşça kalın|hoşçakal|hoşçakalın|görüşürüz|görüşmek üzere|{sonra,yarın,yakında} görüşürüz|iyi geceler|kendine iyi bak|kendinize iyi bakın|{bu kadar,hepsi bu}|iyi {hafta sonları,tatiller}|bay bay|allaha ısmarladık|hoşçakalınız',
    okay: 'evet|tamam|tamamdır|tmm|peki|olur|tabii|tabi|tabii ki|elbette|anladım|anlıyorum|anlaşıldı|doğru|aynen|aynen öyle|kesinlikle|pekala|sorun değil|sorun yok|önemli değil|belki|deneyeceğim|denerim|uygun|kabul|pardon|özür dilerim|kusura bakma|kusura bakmayın|he|eh|oldu o zaman',
    no: 'hayır|yok|şimdi değil|gerek yok|gerekli değil|boş ver|boşver|hiç|hiçbir şey|pek değil|unut gitsin|sanmıyorum|istemiyorum',
    bot: '{sen,siz,} {bir,} {bot,robot,chatbot,makine,bilgisayar,insan,gerçek,yapay zeka,gerçek bir insan,gerçek insan,gerçek bir kişi} {musun,mısın,misin,musunuz,mısınız,misiniz,mu,mi}|{bir,} {bot,robot,insan,botla,robotla,insanla,makineyle,yapay zekayla,gerçek bir insanla,gerçek biriyle} {mu,mı,mi} {konuşuyorum,konuşuyoruz,yazışıyorum,görüşüyorum}|{sen,siz,} {kimsin,kimsiniz,nesin,nesiniz}|adın ne|adınız ne|ismin ne|isminiz ne|kiminle {konuşuyorum,görüşüyorum}|bot musun insan mı|robot musun insan mı|insan mısın robot mu|insan mısın bot mu|{bu,burası,siz,sen} {bir,} {makine,bot,robot,chatbot,insan,yapay zeka,gerçek bir insan,otomatik yanıt,otomatik cevap} {mi,mı,mu,mü}|{insan,robot,bot,makine} {mısın,mısınız,musun,musunuz,misin,misiniz,mı,mi,mu} {yoksa,} {insan,robot,bot,makine} {mısın,mısınız,musun,musunuz,misin,misiniz,mı,mi,mu}|{gerçek,} {bir,} {insanla,biriyle,kişiyle,makineyle,botla,robotla,bilgisayarla} {mı,mi} {konuşuyorum,yazışıyorum,görüşüyorum}|{karşımda,karşımdaki} {bir,gerçek bir,} {bot,robot,makine,insan} {mu,mı,mi} {var,}|{bana,} {bir,} {bot,robot,makine,insan} {mu,mı,mi} {cevap veriyor,yanıt veriyor}',
    abilities:
      'yardım|yardım et|yardım edin|{bana,} yardım {eder misin,eder misiniz,edebilir misin,edebilir misiniz,lazım,istiyorum}|{yardıma,yardımına,yardımınıza} ihtiyacım var|{neler,ne} {yapabilirsin,yapabilirsiniz,yapabiliyorsun,biliyorsun,yaparsın}|ne yapıyorsun|{bana,} nasıl yardımcı {olabilirsin,olabilirsiniz}|{hangi konuda,hangi konularda,ne konuda} {yardımcı olabilirsin,yardımcı olabilirsiniz}|{sana,size,} {ne,neler} sorabilirim|{bir,birkaç,} {sorum,sorularım} var|bir {sorunum,problemim} var|{bir şey,soru} sorabilir miyim|bir soru|soru|menü|başla|başlat',
    upset:
      '{bu,sen,siz,çok,tam bir,} {çok,tamamen,tam,} {saçma,saçmalık,gereksiz,işe yaramaz,aptal,aptalsın,salak,salaksın,gerizekalı,rezalet,berbat,berbatsın,korkunç,komik değil,kötü,şaka,sinir bozucu,kabul edilemez,zaman kaybı,utanç verici,skandal,faydasız,işe yaramazsın,yetersiz}|{aptal,salak,gereksiz,işe yaramaz} {bot,robot}|kapa çeneni|siktir|siktir git|kahretsin|lanet olsun|defol|senden nefret ediyorum|nefret ediyorum|{bu,} {yanlış,doğru değil,yanlış cevap,hatalı}|yanlış cevap|yanlışsın|{bu,} {bana,} {hiç,} {yardımcı olmadı,yardımcı olmuyor,işe yaramadı,işe yaramıyor,işime yaramadı}|{beni,} {hiç,} {anlamıyorsun,anlamadın,anlamıyorsunuz,dinlemiyorsun}|sorumu cevaplamadın|sorumun cevabı {bu değil,değil}|{onu,bunu} sormadım|çok {kızgınım,sinirliyim,öfkeliyim,hayal kırıklığına uğradım,sinirlendim}|{kızgınım,sinirliyim,öfkeliyim,bıktım}|{şaka mı bu,dalga mı geçiyorsun,dalga mı geçiyorsunuz,şaka mı yapıyorsun}|ne {saçmalık,rezalet,biçim hizmet}|{kötü,berbat,rezil} {hizmet,servis}|zaten söyledim|yeter artık|yazıklar olsun|yeter',
    filler:
      'herkese|tekrar|tekrardan|yine|lütfen|arkadaşlar|arkadaşım|dostum|hocam|{yardımın,yardımınız,yardımlarınız,cevabın,cevabınız,bilgi,her şey,ilginiz} için|o zaman|ve|çok|size|size de|sana|sana da|sizlere|siz|sen|da|de|ya|ee|gerçekten|şimdilik|bugün|bey|hanım|efendim|ederim|ki|i̇yi',
  },
  replies: {
    greeting: 'Merhaba, {name} size hoş geldiniz der. Ne öğrenmek istersiniz?',
    wellBeing: 'İyiyim, sorduğunuz için teşekkür ederim. Size nasıl yardımcı olabilirim?',
    thanks: 'Rica ederim. Başka bir sorunuz olursa sormanız yeterli.',
    praise: 'Bunu duyduğuma sevindim. Başka bir sorunuz olursa sormanız yeterli.',
    goodbye: 'Hoşça kalın, {name} iyi günler diler.',
    okay: 'Tamam. Başka ne öğrenmek istersiniz?',
    no: 'Tamam. Başka bir sorunuz olursa sormanız yeterli.',
    bot: 'Bir insanla değil, bir makineyle konuşuyorsunuz: {name} için çalışan otomatik bir asistanım ve belgelerden yanıt veririm.',
    abilities:
      'Ben {name} için çalışan otomatik bir asistanım: belgelerden yanıt verir ve kaynağı belirtirim. Sorunuzu kendi sözlerinizle yazın.',
    upset:
      'İşlerin yolunda gitmemesine üzüldüm. Neye ihtiyacınız olduğunu başka sözcüklerle yazarsanız yeniden ararım.',
    topics: 'Bana örneğin şunları sorabilirsiniz: {topics}.',
    person: 'Ekipten birini çağırmamı ister misiniz?',
  },
};
