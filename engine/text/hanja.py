"""Hanja as they are read in Hangul.

KS X 1001 lists its 4,888 hanja by reading, and Python's ``euc_kr`` codec knows that list, so that
a table of where each reading starts is all it takes.
"""

from __future__ import annotations

import re
from bisect import bisect_right

_STARTS = (
    "가伽각刻간侃갈乫감勘갑匣강剛개介객喀갱坑갹醵거倨건乾걸乞검儉겁劫게偈격擊견堅결抉겸兼경京"
    "계係고古곡哭곤困골汨공供곶串과寡곽廓관冠괄刮광侊괘卦괴乖굉宏교交구丘국國군君굴堀궁宮권倦"
    "궐厥궤机귀晷규叫균勻귤橘극克근僅금今급伋긍亘기企긴緊길佶김金끽喫나儺낙諾난暖날捏남南납納"
    "낭囊내乃녀女년年념念녕寧노努농濃뇌惱뇨尿눈嫩눌訥뉴杻능能니尼닉匿다多단丹달撻담啖답沓당唐"
    "대代댁宅덕德도倒독毒돈墩돌乭동仝두兜둔屯득得등嶝라喇락洛란亂랄剌람嵐랍拉랑廊래來랭冷략掠"
    "량亮려侶력力련憐렬冽렴廉렵獵령令례例로勞록碌론論롱壟뢰儡료了룡龍루壘류劉륙六륜侖률律륭隆"
    "륵勒름凜릉凌리俚린吝림林립砬마摩막寞만万말唜망亡매埋맥脈맹孟멱冪면免멸滅명冥몌袂모侮목木"
    "몰歿몽夢묘卯무務묵墨문們물勿미味민岷밀密박剝반伴발勃방倣배倍백伯번幡벌伐범凡법法벽僻변卞"
    "별別병丙보保복伏본本볼乶봉俸부付북北분分불佛붕崩비丕빈嚬빙憑사乍삭削산傘살乷삼三삽揷상上"
    "새塞색嗇생牲서墅석夕선仙설卨섬剡섭攝성城세世소召속俗손孫솔率송宋쇄刷쇠衰수修숙叔순巡술戌"
    "숭崇슬瑟습濕승丞시侍식埴신伸실失심審십什쌍雙씨氏아亞악堊안安알斡암唵압壓앙仰애厓액厄앵櫻"
    "야也약弱양佯어圄억億언偃얼孼엄俺업嶪엔円여予역亦연嚥열悅염厭엽曄영塋예乂오五옥屋온溫올兀"
    "옹壅와渦완婉왈曰왕往왜倭외外요僥욕慾용俑우于욱勖운云울蔚웅熊원元월月위位유乳육堉윤允율聿"
    "융戎은垠을乙음吟읍揖응凝의依이二익瀷인人일一임任입入잉仍자仔작作잔孱잠岑잡雜장丈재再쟁爭"
    "저佇적勣전佃절切점占접接정丁제制조俎족族존存졸卒종倧좌佐죄罪주主죽竹준俊줄茁중中즉卽즐櫛"
    "즙楫증增지之직直진唇질侄짐斟집執징徵차且착捉찬撰찰刹참僭창倉채債책冊처凄척倜천仟철凸첨僉"
    "첩堞청廳체剃초初촉促촌寸총叢촬撮최催추墜축丑춘春출出충充췌悴취取측側층層치侈칙則친親칠七"
    "침侵칩蟄칭秤쾌快타他탁倬탄呑탈奪탐探탑塔탕宕태兌택擇탱撑터攄토兎통慟퇴堆투偸특慝틈闖파坡"
    "판判팔八패佩팽彭퍅愎편便폄貶평坪폐吠포佈폭幅표俵품品풍楓피彼필匹핍乏하下학壑한寒할割함函"
    "합合항亢해亥핵劾행倖향享허噓헌憲헐歇험險혁奕현俔혈孑혐嫌협俠형亨혜兮호乎혹惑혼婚홀忽홍哄"
    "화化확擴환丸활活황凰회匯획劃횡宖효哮후侯훈勛훙薨훤喧훼卉휘彙휴休휼恤흉兇흑黑흔昕흘吃흠欠"
    "흡吸흥興희僖힐詰"
)
"""Each reading and the first hanja of the standard that has it, in the order of the standard."""
_READINGS = _STARTS[::2]
_CODES = [hanja.encode("euc_kr") for hanja in _STARTS[1::2]]
_FIRST = b"\xca\xa1"
_USUAL = {"不": "불", "宅": "택", "金": "금", "率": "률", "郎": "랑", "隸": "례"}
"""Characters that the standard lists under a rarer reading, or in another form."""

_RUN = re.compile(r"[\u4e00-\u9fff]+")
_SOFTENED = re.compile("불(?=[다-딯자-짛])")
"""不 before ㄷ and ㅈ is read 부: 不動産 → 부동산."""
_BASE, _VOWELS, _FINALS = 0xAC00, 21, 28
_N, _R, _SILENT = 2, 5, 11
_I_LIKE = frozenset({2, 3, 6, 7, 12, 17, 20})
"""Vowels ㅑ ㅒ ㅕ ㅖ ㅛ ㅠ ㅣ, before which an initial ㄴ or ㄹ falls silent."""


def in_hangul(text: str) -> str:
    """A text with its hanja read; those outside the standard stay: 鐵筋 → 철근, 女子 → 여자."""
    return _RUN.sub(lambda run: _read(run[0]), text)


def _read(run: str) -> str:
    read = ""
    for hanja in run:
        syllable = _reading(hanja)
        read += _after(read, syllable) if syllable else hanja
    return _SOFTENED.sub(lambda found: "부", read) if "不" in run else read


def _reading(hanja: str) -> str | None:
    if hanja in _USUAL:
        return _USUAL[hanja]
    try:
        code = hanja.encode("euc_kr")
    except UnicodeEncodeError:
        return None
    return _READINGS[bisect_right(_CODES, code) - 1] if code >= _FIRST else None


def _after(before: str, syllable: str) -> str:
    """A syllable by the initial law of Hangul orthography (§10 to §12)."""
    initial, vowel, final = _parts(syllable)
    if not before:
        if initial in (_N, _R) and vowel in _I_LIKE:
            initial = _SILENT
        elif initial == _R:
            initial = _N
    elif syllable in "렬률" and "가" <= before[-1] <= "힣" and _parts(before[-1])[2] in (0, 4):
        initial = _SILENT
    return chr(_BASE + (initial * _VOWELS + vowel) * _FINALS + final)


def _parts(syllable: str) -> tuple[int, int, int]:
    """Numbers of the initial, the vowel and the final of a Hangul syllable."""
    rest, final = divmod(ord(syllable) - _BASE, _FINALS)
    initial, vowel = divmod(rest, _VOWELS)
    return initial, vowel, final
