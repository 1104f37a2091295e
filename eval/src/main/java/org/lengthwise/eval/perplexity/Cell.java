package org.lengthwise.eval.perplexity;

import org.lengthwise.eval.result.EvaluatedCheckpoint;
import org.lengthwise.eval.result.EvaluationResult;

/**
 * The smallest part of an evaluation that is finished as a whole: one line of results.
 *
 * @param subject the checkpoint, as results name it
 * @param protocol the protocol
 * @param length T_ex
 */
record Cell(EvaluatedCheckpoint subject, ProtocolConfig protocol, int length) {

  boolean isOf(EvaluationResult result) {
    return result.run().equals(subject.run())
        && result.seed() == subject.seed()
        && result.step() == subject.step()
        && result.protocol() == protocol.protocol()
        && result.length() == length;
  }

  @Override
  public String toString() {
    return "%s seed %d, %s at %d"
        .formatted(subject.run(), subject.seed(), protocol.protocol().label(), length);
  }
}
