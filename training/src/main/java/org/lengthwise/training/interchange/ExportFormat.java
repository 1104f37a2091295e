package org.lengthwise.training.interchange;

/** In which layout a model leaves. */
public enum ExportFormat {
  /** Our own names in one file that describes itself; every scheme. */
  SAFETENSORS("safetensors"),
  /** Hugging Face's layout of GPT-2; learned positions alone. */
  GPT2("gpt2");

  private final String label;

  ExportFormat(String label) {
    this.label = label;
  }

  /**
   * The name on the command line and in artifacts.
   *
   * @return the name
   */
  public String label() {
    return label;
  }

  @Override
  public String toString() {
    return label; // as the command line's help lists the choices
  }
}
