"""Languages that are read and not spoken: their speakers are told so in one line, and nobody else is."""

import pytest

from bot.messages import Question
from bot.pipeline import answer

FOREIGN = [
    ("2080ti 11G 微调1.5B bs=1 还是爆, 民用卡有成功的吗", "我用"),
    ("视频数据(平均30秒一段)微调qwen2-vl-7b, A800 80G 够吗 要几张", "我用"),
    ("сколько видеопамяти надо для файнтюна open llama 3B_v2? есть 3060 12гб", "Отвечаю"),
    ("хватит ли 24 гб для qlora 13b?", "Отвечаю"),
    ("¿cuánta VRAM para LoRA en un 7B? tengo una 4090 de 24", "Respondo en inglés o en"),
    ("puedo entrenar un 13b con qlora en mi 3060 de 12 gb?", "Respondo en inglés o en"),
    ("2x 3090 ou 1x 4090 pour axolotl ? quelle taille de modele au max sur chaque", "Je réponds"),
    ("est-ce que je peux faire du qlora 13b avec ma 3060 ?", "Je réponds"),
    ("jaka karta do trenowania 345M? 6GB nie ruszy, na CPU bierze 12+", "Odpowiadam"),
    ("czy 12 gb vram wystarczy do qlora 7b? mam 3060", "Odpowiadam"),
    ("4 adet 1080ti = 44gb, batch 1 bile calismiyor bert-large, neden", "İngilizce"),
    ("tenho uma rx 6600xt 8gb e i5 10400f, dá p/ fazer finetune de modelo pequeno?", "Respondo em inglês"),
    ("il grafico dice 300GB per il full finetuning del 70B ma secondo me sono almeno 500. chi ha ragione?", "Rispondo"),
]
SPOKEN = [
    "13b qlora on a 3090?",
    "Reicht eine 3090 für QLoRA mit 13B?",
    "gas 4 = oom after 500 stps, gas1 ok, y?? grad acum shoudnt cost memry",
    "passt das? 13b qlora auf meiner 3060",
    "naïve question: café laptop, 8 gb, qlora 7b?",
]


@pytest.mark.parametrize(("text", "says"), FOREIGN)
def test_a_foreign_asker_is_told_the_languages_in_the_last_line(text: str, says: str) -> None:
    reply = answer(Question(text=text)).reply
    assert reply.text.split("\n")[-1].startswith(says)
    assert not reply.title.startswith(says)


@pytest.mark.parametrize("text", SPOKEN)
def test_who_is_answered_in_the_own_language_is_told_nothing(text: str) -> None:
    last = answer(Question(text=text)).reply.text.split("\n")[-1]
    assert not last.startswith(tuple({says for _, says in FOREIGN}))


def test_who_chose_a_language_is_told_nothing() -> None:
    reply = answer(Question(text="puedo entrenar un 13b con qlora en mi 3060 de 12 gb?", language="en")).reply
    assert "Respondo" not in reply.text


@pytest.mark.parametrize("text", ["13Bのqloraは3090で動きますか", "чи вистачить 24 гб для qlora 13b, і скільки?"])
def test_a_kindred_script_is_not_taken_for_the_language(text: str) -> None:
    assert not answer(Question(text=text)).reply.text.split("\n")[-1].startswith(("我用", "Отвечаю"))
