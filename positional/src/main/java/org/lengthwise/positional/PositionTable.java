package org.lengthwise.positional;

/** The positions that a scheme adds to token embeddings. */
public enum PositionTable {
  /** No positions are added. */
  NONE,

  /** Sines and cosines; token embeddings are multiplied by sqrt(d) first. */
  SINUSOIDAL {
    @Override
    public double[] embed(double[] token_d, PositionalValues values, long position) {
      double[] frequencies = Sinusoidal.frequencies(token_d.length);
      double[] embedded_d = new double[token_d.length];
      for (int i = 0; i < frequencies.length; i++) {
        double angle = position * frequencies[i];
        embedded_d[2 * i] = Math.sqrt(token_d.length) * token_d[2 * i] + Math.sin(angle);
        embedded_d[2 * i + 1] = Math.sqrt(token_d.length) * token_d[2 * i + 1] + Math.cos(angle);
      }
      return embedded_d;
    }

    @Override
    public double tokenDeviation(int width) {
      return 1 / Math.sqrt(width);
    }
  },

  /** Learned rows. */
  LEARNED {
    @Override
    public double[] embed(double[] token_d, PositionalValues values, long position) {
      double[] embedded_d = new double[token_d.length];
      for (int i = 0; i < embedded_d.length; i++) {
        int index = Math.toIntExact(position * token_d.length + i);
        embedded_d[i] = token_d[i] + values.at("wpe.weight", index);
      }
      return embedded_d;
    }
  };

  /**
   * {@return the reference input of the first block, in plain doubles: the token's embedding with
   * its position}
   *
   * @param position m, at least 0
   */
  public double[] embed(double[] token_d, PositionalValues values, long position) {
    return token_d;
  }

  /** {@return the standard deviation of the first values of token embeddings of width d} */
  public double tokenDeviation(int width) {
    return 0.02; // as in GPT-2
  }
}
