package org.lengthwise.training.interchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.error.ConfigException;

/** The rotation of a config.json, also if it is stated for each kind of layers. */
class RopeJsonTest {
  private static final String KINDS =
      "\"layer_types\": [\"full_attention\", \"full_attention\", \"sliding_attention\"],"
          + " \"use_sliding_window\": true, \"sliding_window\": 8, \"max_window_layers\": 2,"
          + " \"head_dim\": 16";

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "llama; ; \"full_attention\": {\"rope_theta\": 500000.0, \"rope_type\": \"default\"};"
            + " \"rope_theta\": 500000.0",
        "llama; ; \"full_attention\": {\"rope_theta\": 5e5, \"rope_type\": \"linear\", \"factor\": 4},"
            + " \"sliding_attention\": null; \"rope_theta\": 5e5, \"rope_scaling\": {\"type\":"
            + " \"linear\", \"factor\": 4}",
        "qwen3; KINDS; \"full_attention\": {\"rope_theta\": 5e5}, \"sliding_attention\":"
            + " {\"rope_theta\": 5e5}; \"rope_theta\": 5e5",
        "neox; ; \"full_attention\": {\"rope_theta\": 5e5, \"partial_rotary_factor\": 0.5};"
            + " \"rotary_emb_base\": 5e5, \"rotary_pct\": 0.5"
      })
  void aRotationForEachKindIsReadWhereAllLayersAgree(
      String family, String kinds, String byKind, String forAll) throws JsonProcessingException {
    String others = kinds == null ? "\"a\": 0" : KINDS;
    assertThat(read(family, others + ",\"rope_parameters\": {" + byKind + "}"))
        .isEqualTo(read(family, others + "," + forAll));
  }

  /** The family's own keys of the rotation are replaced. */
  private static FamilyConfig read(String family, String keys) throws JsonProcessingException {
    String config =
        FamilyFolders.of(family)
            .config()
            .replaceAll("\"(rope_theta|rope_scaling|rotary_pct|rotary_emb_base)\": [^,]+,", "")
            .replace("\"head_dim\": 16,", "");
    ObjectNode json =
        (ObjectNode) new ObjectMapper().readTree(config.replaceFirst("\\{", "{" + keys + ","));
    return FamilyConfig.of(new ConfigJson("config.json: ", json));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "\"full_attention\": {\"rope_theta\": 5e5}, \"sliding_attention\": {\"rope_theta\": 1e4};"
            + " rope_parameters: expected one rotation for all layers, which are [full_attention,"
            + " sliding_attention], found {",
        "\"full_attention\": {\"rope_theta\": 5e5}; rope_parameters: expected one rotation",
        "\"sliding_attention\": {\"rope_theta\": 5e5}; rope_parameters: expected one rotation",
        "\"rope_theta\": 5e5, \"full_attention\": {\"rope_theta\": 5e5}, \"sliding_attention\":"
            + " {\"rope_theta\": 5e5}; rope_parameters.rope_theta: expected an object",
        "\"mrope_section\": [16, 24]; rope_parameters.mrope_section: expected no such key, found",
        "\"rope_theta\": 5e5, \"alpha\": 2.0; rope_parameters.alpha: expected no such key, found 2.0"
      })
  void rotationsThatCannotBeReadAreRefused(String parameters, String message) {
    assertThatThrownBy(() -> read("qwen3", KINDS + ",\"rope_parameters\": {" + parameters + "}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("config.json: " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "\"rope_parameters\": {\"rope_type\": \"default\"}, \"rope_scaling\": {\"rope_type\":"
            + " \"yarn\", \"factor\": 4}; rope_scaling.rope_type: expected \"default\", as in",
        "\"rope_parameters\": {\"rope_type\": \"dynamic\", \"factor\": 4.0}, \"rope_scaling\":"
            + " {\"type\": \"linear\", \"factor\": 4}; rope_scaling.type: expected \"dynamic\", as in",
        "\"rope_parameters\": {\"rope_type\": \"default\", \"factor\": 4};"
            + " rope_type: expected a scaling, because there is a factor",
        "\"original_max_position_embeddings\": 16, \"rope_scaling\": {\"rope_type\": \"yarn\","
            + " \"factor\": 4}; original_max_position_embeddings: expected"
      })
  void scalingsOnWhichReleasesDisagreeAreRefused(String keys, String message) {
    assertThatThrownBy(() -> read("llama", keys))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }
}
