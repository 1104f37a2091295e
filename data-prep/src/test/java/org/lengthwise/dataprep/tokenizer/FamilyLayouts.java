package org.lengthwise.dataprep.tokenizer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Small tokenizer.json files with the parts and the order of those of public families. */
final class FamilyLayouts {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String BYTES =
      "{\"type\": \"ByteLevel\", \"add_prefix_space\": false, \"trim_offsets\": true}";
  private static final String NO_REGEX = BYTES.replace("}", ", \"use_regex\": false}");

  private final ObjectNode root = MAPPER.createObjectNode().put("version", "1.0");
  private final Map<String, Integer> vocabulary = new LinkedHashMap<>();

  private FamilyLayouts() {
    root.putArray("added_tokens");
    root.putObject("model");
  }

  static List<String> names() {
    return List.of(
        "gpt2",
        "opt",
        "neox",
        "bloom",
        "qwen",
        "deepseek",
        "llama",
        "llama3",
        "mistral",
        "gemma",
        "t5",
        "bert");
  }

  /** A file by the name of its family. */
  static String of(String family) {
    FamilyLayouts file = new FamilyLayouts();
    return switch (family) {
      case "gpt2" -> file.bytes("<|endoftext|>").special(258, "<|endoftext|>").text();
      case "opt" ->
          file.words("<s>", "<pad>", "</s>", "<unk>")
              .special(0, "<s>")
              .special(1, "<pad>")
              .special(2, "</s>")
              .special(3, "<unk>")
              .bytes()
              .text();
      case "neox" -> // spaces and tabs after the vocabulary, searched in the normalised text
          file.words("<|endoftext|>", "<|padding|>")
              .bytes()
              .special(0, "<|endoftext|>")
              .special(1, "<|padding|>")
              .normalizer("{\"type\": \"NFC\"}")
              .added(260, "    ")
              .added(261, "   ")
              .added(262, "  ")
              .added(263, "\t\t")
              .text();
      case "bloom" ->
          file.words("<unk>", "<s>", "</s>", "<pad>")
              .special(0, "<unk>")
              .special(1, "<s>")
              .special(2, "</s>")
              .special(3, "<pad>")
              .bytes()
              .text();
      case "qwen" ->
          file.bytes()
              .normalizer("{\"type\": \"NFC\"}")
              .split(SafeCuts.PATTERNS.iterator().next())
              .special(258, "<|endoftext|>")
              .special(259, "<|im_start|>")
              .special(260, "<|im_end|>")
              .added(261, "<tool_call>")
              .added(262, "</tool_call>")
              .added(263, "<think>")
              .added(264, "</think>")
              .text();
      case "deepseek" -> // the first special tokens are in the vocabulary, too
          file.words("<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜▁pad▁｜>")
              .bytes()
              .split("[\\u4e00-\\u9fa5]+")
              .special(0, "<｜begin▁of▁sentence｜>")
              .special(1, "<｜end▁of▁sentence｜>")
              .special(2, "<｜▁pad▁｜>")
              .added(261, "<｜fim▁hole｜>")
              .added(262, "<think>")
              .added(263, "</think>")
              .added(264, "<｜User｜>")
              .added(265, "<｜Assistant｜>")
              .special(266, "<|EOT|>")
              .text();
      case "llama" -> file.pieces().added(264, "<tool>").special(265, "<pad>").text();
      case "llama3" ->
          file.bytes()
              .split(SafeCuts.PATTERNS.iterator().next())
              .special(258, "<|begin_of_text|>")
              .special(259, "<|end_of_text|>")
              .special(260, "<|reserved_special_token_0|>")
              .ignoringMerges()
              .text();
      case "mistral" ->
          file.pieces()
              .parts(
                  "normalizer",
                  "null",
                  "pre_tokenizer",
                  "{\"type\": \"Metaspace\", \"replacement\": \"▁\", \"prepend_scheme\": \"first\","
                      + " \"split\": false}")
              .special(264, "[INST]")
              .special(265, "[/INST]")
              .added(266, "[TOOL]")
              .text();
      case "gemma" -> // texts that are also in the vocabulary
          file.pieces("\n\n", "\t\t", "<unused0>", "▁▁")
              .parts(
                  "normalizer",
                  "{\"type\": \"Replace\", \"pattern\": {\"String\": \" \"}, \"content\": \"▁\"}",
                  "pre_tokenizer",
                  "{\"type\": \"Split\", \"pattern\": {\"String\": \" \"}, \"behavior\":"
                      + " \"MergedWithPrevious\", \"invert\": false}")
              .added(264, "\n\n")
              .added(265, "\t\t")
              .added(266, "<unused0>")
              .added(267, "▁▁")
              .text();
      case "t5" -> file.unigram().text();
      case "bert" -> file.wordPiece().text();
      default -> throw new IllegalArgumentException(family);
    };
  }

  private FamilyLayouts words(String... words) {
    for (String word : words) {
      vocabulary.put(word, vocabulary.size());
    }
    return this;
  }

  /** Byte-level BPE: the bytes, two merges and some words. */
  private FamilyLayouts bytes(String... words) {
    for (char shown : RanksAsTokenizerJson.shownBytes()) {
      words(String.valueOf(shown));
    }
    words("th", "the").words(words);
    root.set("pre_tokenizer", json(BYTES));
    root.set("decoder", json(BYTES));
    root.set("post_processor", json(BYTES));
    return bpe("t h", "th e");
  }

  /** BPE on the texts of SentencePiece, with bytes for rare characters. */
  private FamilyLayouts pieces(String... words) {
    words("<unk>", "<s>", "</s>");
    IntStream.range(0, 256).forEach(b -> words(String.format(Locale.ROOT, "<0x%02X>", b)));
    words("▁", "t", "h", "th", "▁th").words(words);
    special(0, "<unk>").special(1, "<s>").special(2, "</s>");
    parts(
        "normalizer",
        """
        {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
         {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]}""",
        "decoder",
        """
        {"type": "Sequence", "decoders": [
         {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"},
         {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}""");
    model().put("byte_fallback", true).put("fuse_unk", true).put("unk_token", "<unk>");
    return bpe("t h", "▁ th");
  }

  private FamilyLayouts bpe(String... merges) {
    model().put("type", "BPE");
    ArrayNode list = model().putArray("merges");
    List.of(merges).forEach(list::add);
    return this;
  }

  private FamilyLayouts unigram() {
    String space =
        "{\"type\": \"Metaspace\", \"replacement\": \"▁\", \"prepend_scheme\": \"always\"}";
    parts("pre_tokenizer", space, "decoder", space);
    ArrayNode pieces = model().put("type", "Unigram").put("unk_id", 2).putArray("vocab");
    for (String piece : List.of("<pad>", "</s>", "<unk>", "▁", "t", "h", "▁the", "e", "<x>")) {
      pieces.addArray().add(piece).add(-pieces.size() / 2.0);
    }
    return special(0, "<pad>")
        .special(1, "</s>")
        .special(2, "<unk>")
        .added(8, "<x>")
        .special(9, "<extra_id_0>")
        .added(10, "<y>");
  }

  private FamilyLayouts wordPiece() {
    parts(
        "normalizer", "{\"type\": \"Lowercase\"}",
        "pre_tokenizer", "{\"type\": \"BertPreTokenizer\"}",
        "decoder", "{\"type\": \"WordPiece\", \"prefix\": \"##\", \"cleanup\": true}");
    words("[PAD]", "[UNK]", "[SEP]", "the", "t", "##h", "##e", ".", "1", "##2");
    model().put("type", "WordPiece").put("unk_token", "[UNK]");
    model().put("continuing_subword_prefix", "##").put("max_input_chars_per_word", 100);
    return special(0, "[PAD]")
        .special(1, "[UNK]")
        .special(2, "[SEP]")
        .special(10, "[MASK]")
        .added(11, "[act]")
        .added(12, "quick brown");
  }

  private FamilyLayouts ignoringMerges() {
    model().put("ignore_merges", true);
    return this;
  }

  private FamilyLayouts split(String regex) {
    ObjectNode sequence = root.putObject("pre_tokenizer").put("type", "Sequence");
    ArrayNode steps = sequence.putArray("pretokenizers");
    ObjectNode split = steps.addObject().put("type", "Split").put("behavior", "Isolated");
    split.put("invert", false).putObject("pattern").put("Regex", regex);
    steps.add(json(NO_REGEX));
    return this;
  }

  private FamilyLayouts normalizer(String json) {
    return parts("normalizer", json);
  }

  private FamilyLayouts parts(String... namesAndJson) {
    for (int i = 0; i < namesAndJson.length; i += 2) {
      root.set(namesAndJson[i], json(namesAndJson[i + 1]));
    }
    return this;
  }

  private FamilyLayouts special(int id, String content) {
    return token(id, content, true);
  }

  private FamilyLayouts added(int id, String content) {
    return token(id, content, false);
  }

  private FamilyLayouts token(int id, String content, boolean isSpecial) {
    ObjectNode token = ((ArrayNode) root.path("added_tokens")).addObject();
    token.put("id", id).put("content", content).put("special", isSpecial);
    token.put("single_word", false).put("lstrip", false).put("rstrip", false);
    token.put("normalized", !isSpecial);
    return this;
  }

  private ObjectNode model() {
    return (ObjectNode) root.path("model");
  }

  private String text() {
    if (!model().has("vocab")) {
      ObjectNode ids = model().putObject("vocab");
      vocabulary.forEach(ids::put);
    }
    return root.toPrettyString();
  }

  private static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
